// Light, dark, or as the system says.

const themes = ["auto", "light", "dark"];

export function followTheme(button: HTMLButtonElement): void {
  let theme = themes.indexOf(stored());
  const show = (): void => {
    document.documentElement.dataset["theme"] = themes[theme];
    button.textContent = `Theme: ${themes[theme]}`;
  };
  if (theme < 0) theme = 0;
  show();
  button.addEventListener("click", () => {
    theme = (theme + 1) % themes.length;
    show();
    try {
      localStorage.setItem("theme", themes[theme]!);
    } catch {
      // Without storage (a sandboxed frame) the choice lasts as long as the page.
    }
  });
}

function stored(): string {
  try {
    return localStorage.getItem("theme") ?? "auto";
  } catch {
    return "auto";
  }
}
