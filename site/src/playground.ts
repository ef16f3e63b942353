// <cpsrl-playground preset="fig2c">a link for everyone else</cpsrl-playground>
// shows a picture of the preset, and on click the playground in a frame.

const script = document.currentScript as HTMLScriptElement;

customElements.define(
  "cpsrl-playground",
  class extends HTMLElement {
    connectedCallback(): void {
      const get = (name: string): string => this.getAttribute(name) ?? "";
      const make = <K extends "iframe" | "button" | "img">(name: K, properties: object, style: string): HTMLElementTagNameMap[K] => {
        const element = Object.assign(document.createElement(name), properties);
        element.style.cssText = `${style};width:100%;border:0`;
        return element;
      };
      if (this.dataset["made"]) return;
      this.dataset["made"] = "1";
      this.style.display = "block";
      const preset = get("preset");
      const url = new URL(preset ? `${preset}/` : ".", script.src);
      url.search = `embed=1&theme=${get("theme")}&ui=${get("ui")}`;
      url.hash = get("link");
      const title = get("title") || this.textContent;
      const button = make("button", { type: "button" }, "display:block;padding:0;background:none;color:inherit;font:inherit;cursor:pointer");
      const poster = get("poster") || (preset && new URL(`figures/${preset}.svg`, script.src).href);
      if (poster) button.append(make("img", { src: poster, alt: title, width: 720, height: 405, loading: "lazy" }, "display:block;height:auto"));
      const call = document.createElement("span");
      call.textContent = "▶ Run it here";
      call.style.cssText = "display:inline-block;margin:.5em;padding:.3em .9em;border:1px solid;border-radius:4px";
      button.append(call);
      button.onclick = () => {
        const frame = make("iframe", { src: url.href, title, allow: "clipboard-write" }, "height:640px");
        addEventListener("message", ({ source, data }) => {
          if (source === frame.contentWindow && data?.type === "height") frame.style.height = `${data.height}px`;
        });
        button.replaceWith(frame);
      };
      this.prepend(button);
    }
  },
);
