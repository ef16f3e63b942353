// A small client of the element: each command is a promise, and each refusal an error.

import type { Belief, Command, Embedded, ElementEvents, EmbedOptions, PlaygroundElement, Shown, WithoutId } from "../npm/playground";

const gone = "the playground is no longer there";

let count = 0;

class Client implements Embedded {
  state: ElementEvents["state"] | undefined;

  constructor(readonly element: PlaygroundElement) {
    this.on("state", (state) => {
      this.state = state;
    });
  }

  on<K extends keyof ElementEvents>(type: K, listener: (detail: ElementEvents[K]) => void): () => void {
    const hear = ({ detail }: CustomEvent<ElementEvents[K]>): void => listener(detail);
    this.element.addEventListener(type, hear);
    return () => this.element.removeEventListener(type, hear);
  }

  /** Resolves with the next event of a type that fits. Rejects if the command with this id is refused, or if nothing more can come. */
  next<K extends keyof ElementEvents>(type: K, id?: string, fits = (_detail: ElementEvents[K]): boolean => true): Promise<ElementEvents[K]> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        end();
        reject(new Error(why));
      };
      const removers = [
        this.on(type, (detail) => {
          if (!fits(detail)) return;
          end();
          resolve(detail);
        }),
        this.on("refused", (refused) => {
          if (id !== undefined && refused.id === id) fail(refused.detail);
        }),
        this.on("error", ({ detail }) => fail(detail)),
        this.on("closed", () => fail(gone)),
      ];
      const end = (): void => {
        for (const remove of removers) remove();
      };
      if (!this.element.isConnected) fail(gone);
    });
  }

  tell(command: WithoutId<Command>): Promise<ElementEvents["done"]> {
    const id = `client ${++count}`;
    const done = this.next("done", id, (detail) => detail.id === id);
    this.element.tell({ ...command, id } as Command);
    return done;
  }

  async show(what: string | Shown): Promise<void> {
    await this.tell({ type: "state", ...(typeof what === "string" ? { link: what } : what) });
  }

  async run(): Promise<ElementEvents["finished"]> {
    await this.tell({ type: "run" });
    return this.next("finished");
  }

  async summary() {
    return (await this.tell({ type: "summary" })).summary!;
  }

  async svg(): Promise<string> {
    return (await this.tell({ type: "svg" })).svg!;
  }

  async belief(of: Parameters<Embedded["belief"]>[0] = {}): Promise<Belief | null> {
    return (await this.tell({ type: "belief", ...of })).belief ?? null;
  }

  stop(): void {
    this.element.stop();
    this.element.remove();
  }
}

/** Puts a playground into an element of the page, in place of what is in it. Resolves when it takes commands and shows what is asked for. */
export async function embed(place: Element, { spec, parts, ...options }: EmbedOptions): Promise<Embedded> {
  const element = document.createElement("cpsrl-playground");
  Object.assign(element, options, parts && { ui: parts.join() });
  place.replaceChildren(element);
  const client = new Client(element);
  const ready = client.next("ready");
  element.open();
  await ready;
  if (spec) await client.show({ spec, ...(options.heading !== undefined && { heading: options.heading }) });
  return client;
}
