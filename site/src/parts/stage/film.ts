// The film of a run (render/film), slow at first and then ever quicker: that of a preset, which needs nothing
// that computes, or one that the engine draws. It plays in the place of the stage until someone opens the stage.

import { addressOf, has } from "cpsrl:edition";
import { batch, effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import type { Film, Frame } from "../../formats";
import { draw } from "../../markup";
import { remembered } from "../../remembered";
import { onResize } from "../../dom";
import type { Sampled } from "../../state/app";
import { believed } from "../../state/believed";
import { slider } from "./controls";

export function pictureOf({ marks }: Film, frame: Frame): string {
  let picture = "";
  for (let k = 0; k < frame.marks.length; k += 2) {
    const first = frame.marks[k]!;
    picture += marks.slice(first, first + frame.marks[k + 1]!).join("");
  }
  return picture;
}

/** The index of the frame to show: of the awaited episode, or of the last one before it that the film has; or else the one where the film is. */
export const indexOf = ({ frames }: Film, at: number, awaited?: number): number =>
  awaited === undefined ? at : Math.max(0, frames.filter(({ episode }) => episode <= awaited).length - 1);

const fetchFilm = remembered(async (name: string): Promise<Film> => {
  const response = await fetch(await addressOf(name));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
});

const nameOf = (preset: string): string => `film-${preset}.json`;

/** What the projector shows: the film of a preset, by its name, or a film that the engine is drawing. Of says which run it is. */
export type Reeled = { readonly of: string; readonly preset: string } | { readonly of: string; readonly film: Film | undefined };

export class Projector {
  /** What is wanted. Undefined: no film is. Null: show has not been called yet. */
  readonly #wanted = signal<Reeled | null | undefined>(null);
  /** The film that is shown, and the run that it shows. */
  readonly #film = signal<Film | undefined>(undefined);
  #of = "";
  /** The index of the frame that is shown. */
  readonly #at = signal(0);
  readonly #playing = signal(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  /** Whether the film has a place in the page. */
  readonly #displayed = signal(false);
  /** Whether the film is on screen. */
  readonly #seen = signal(false);
  readonly #svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  #drawn: Frame["marks"] | undefined;
  #belief: Frame["belief"];
  #beliefs: Film["beliefs"];
  #episode = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The milliseconds for which the page has already shown the current picture. It is 0 except for a first picture that came with the page. */
  #seenFor = 0;

  constructor(
    private readonly host: HTMLElement,
    /** Whether the film has to rest. */
    private readonly busy: () => boolean,
    /** The episode that the stage will show, while it is loaded. */
    private readonly awaited: () => number | undefined,
    /** Takes what the agent believes at the picture that is shown. */
    private readonly believe: (of: Sampled | undefined) => void,
    /** Opens the stage at an episode. */
    private readonly open: (episode: number) => void,
  ) {
    this.#svg.setAttribute("role", "img");
    onResize(({ contentRect: { width } }) => (this.#displayed.value ||= width > 0), host);
    new IntersectionObserver(([entry]) => (this.#seen.value = entry?.isIntersecting ?? false)).observe(host);
    effect(() => void (this.#displayed.value && this.#take(this.#wanted.value)));
    effect(() => this.#draw());
    effect(() => this.#turn());
  }

  /** The episode that is shown. */
  get episode(): number {
    return this.#episode;
  }

  /** Shows a film, or none. What is shown stays until the first picture of the next film is there. The page may already contain a first picture. */
  show(wanted: Reeled | undefined): void {
    this.#wanted.value = wanted;
  }

  #take(wanted: Reeled | null | undefined): void {
    if (wanted === null) return;
    if (wanted && "film" in wanted) this.#thread(wanted.of, wanted.film);
    else if (wanted && has(nameOf(wanted.preset)))
      fetchFilm(nameOf(wanted.preset)).then(
        (film) => this.#wanted.peek() === wanted && this.#thread(wanted.of, film),
        () => {}, // the page works without its film
      );
    else this.#clear();
  }

  /** Puts a film in. One of the same run has only grown. */
  #thread(of: string, film: Film | undefined): void {
    if (!film) return;
    batch(() => {
      if (of !== this.#of) this.#at.value = 0;
      this.#of = of;
      this.#film.value = film;
    });
  }

  #draw(): void {
    const film = this.#film.value;
    const frame = film?.frames[indexOf(film, this.#at.value, this.awaited())];
    if (!film || !frame) return;
    if ("film" in this.host.dataset) {
      const [paint] = performance.getEntriesByType("paint");
      this.#seenFor = paint ? performance.now() - paint.startTime : 0;
      delete this.host.dataset["film"];
      this.host.replaceChildren();
    }
    this.#svg.setAttribute("viewBox", `0 0 ${film.width} ${film.height}`);
    this.#svg.setAttribute("aria-label", frame.text);
    if (frame.marks !== this.#drawn) draw(this.#svg, pictureOf(film, frame));
    this.#drawn = frame.marks;
    this.#episode = frame.episode;
    if (frame.belief !== this.#belief || film.beliefs !== this.#beliefs) untracked(() => this.believe(believed(film, frame)));
    this.#belief = frame.belief;
    this.#beliefs = film.beliefs;
    const playing = this.#playing.value;
    render(
      html`<div class="world">${this.#svg}</div>
        <figcaption class="player">
          <button type="button" @click=${() => (this.#playing.value = !playing)}>${playing ? "Pause" : "Play"}</button>
          ${slider("film-episode", [1, film.episodes], this.awaited() ?? frame.episode, `${this.awaited() ?? frame.episode} of ${film.episodes}`, false, (to) => this.open(to), `Episode of run ${film.run}`)}
        </figcaption>`,
      this.host,
    );
  }

  /** Removes what is shown, or the picture that the page came with. */
  #clear(): void {
    this.#of = "";
    this.#episode = 1;
    this.#belief = this.#beliefs = undefined;
    this.believe(undefined);
    this.#film.value = undefined;
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
    if (!film || !this.#playing.value || !this.#seen.value || this.busy()) return;
    const last = film.frames.length - 1;
    if (at >= last && film.frames[last]?.episode !== film.episodes) return; // the next pictures are on their way
    this.#timer = setTimeout(() => (this.#at.value = at >= last ? 0 : at + 1), (film.frames[at]?.time ?? 0) - this.#seenFor);
    this.#seenFor = 0;
  }
}
