// The film of a preset: a recorded run (render/film), slow at first and then ever quicker. It plays
// in the stage's place until someone opens the stage, and needs nothing that computes.

import { addressOf, has } from "cpsrl:edition";
import { batch, computed, effect, signal } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Film, Frame } from "../../formats";
import { remembered } from "../../remembered";
import { swipes } from "./swipe";

export function pictureOf({ marks }: Film, frame: Frame): string {
  let picture = "";
  for (let k = 0; k < frame.marks.length; k += 2) {
    const first = frame.marks[k]!;
    picture += marks.slice(first, first + frame.marks[k + 1]!).join("");
  }
  return picture;
}

const fetchFilm = remembered(async (name: string): Promise<Film> => {
  const response = await fetch(await addressOf(name));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
});

export class Projector {
  /** The preset whose film is wanted. Undefined: none is. Null: show has not been called yet. */
  readonly #preset = signal<string | null | undefined>(null);
  readonly #film = signal<Film | undefined>(undefined);
  /** The index of the frame that is shown. */
  readonly #at = signal(0);
  readonly #playing = signal(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  readonly #swipes;
  readonly #displayed = computed(() => this.#swipes.value !== undefined);
  /** Whether the film is on screen. */
  readonly #seen = signal(false);
  /** Whether the settings are still those of the film. */
  readonly #fresh = signal(true);
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The milliseconds for which the page has already shown the current picture. It is 0 except for a first picture that came with the page. */
  #seenFor = 0;

  constructor(
    private readonly host: HTMLElement,
    /** Whether the film has to rest. */
    private readonly busy: () => boolean,
  ) {
    this.#svg.setAttribute("role", "img");
    this.#swipes = swipes(host);
    new IntersectionObserver(([entry]) => (this.#seen.value = entry?.isIntersecting ?? false)).observe(host);
    effect(() => void (this.#displayed.value && this.#load(this.#preset.value)));
    effect(() => this.#draw());
    effect(() => this.#turn());
  }

  /**
   * Shows the film of a preset, or none. The page may already contain its first picture. Not fresh: the settings have
   * changed, so a film that is shown becomes a faint still, and another film is not shown at all.
   */
  show(wanted: string | undefined, fresh = true): void {
    const before = this.#preset.peek();
    const preset = fresh || wanted === before ? wanted : undefined;
    this.#fresh.value = fresh;
    this.host.inert = !fresh && preset !== undefined;
    if (preset === before) return;
    if (preset === undefined || preset !== this.host.dataset["film"]) this.#clear();
    batch(() => {
      this.#at.value = 0;
      this.#film.value = undefined;
      this.#preset.value = preset;
    });
  }

  async #load(preset: string | null | undefined): Promise<void> {
    const name = `film-${preset}.json`;
    const film = has(name) ? await fetchFilm(name).catch(() => undefined) : undefined; // the page works without its film
    if (film && preset === this.#preset.peek()) this.#film.value = film;
  }

  #draw(): void {
    const film = this.#film.value;
    const frame = film?.frames[this.#at.value];
    if (!film || !frame) return;
    if ("film" in this.host.dataset) {
      const [paint] = performance.getEntriesByType("paint");
      this.#seenFor = paint ? performance.now() - paint.startTime : 0;
      this.#clear();
    }
    this.#svg.setAttribute("viewBox", `0 0 ${film.width} ${film.height}`);
    this.#svg.setAttribute("aria-label", frame.text);
    this.#svg.innerHTML = pictureOf(film, frame);
    const playing = this.#playing.value;
    render(
      html`<div class="swipe" role="group" aria-label="World and graph" tabindex=${this.#swipes.value ? 0 : nothing}>${this.#svg}</div>
        <figcaption>
          <button type="button" @click=${() => (this.#playing.value = !playing)}>${playing ? "Pause" : "Play"}</button>
          <span>Recorded run: episode ${frame.episode} of ${film.episodes}.</span>
        </figcaption>`,
      this.host,
    );
  }

  /** Removes what is shown, or the picture that the page came with. */
  #clear(): void {
    if ("film" in this.host.dataset) {
      delete this.host.dataset["film"];
      this.host.replaceChildren();
    } else render(nothing, this.host);
  }

  /** Goes on to the next picture after its time, if the film is on screen. During a run the film rests, because some browsers need a whole core to paint it. */
  #turn(): void {
    clearTimeout(this.#timer);
    const film = this.#film.value;
    const at = this.#at.value;
    if (!film || !this.#playing.value || !this.#seen.value || !this.#fresh.value || this.busy()) return;
    this.#timer = setTimeout(() => (this.#at.value = (at + 1) % film.frames.length), (film.frames[at]?.time ?? 0) - this.#seenFor);
    this.#seenFor = 0;
  }
}
