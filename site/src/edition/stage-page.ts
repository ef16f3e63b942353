// The stage's page for editions without a file for it. Ebitengine needs its own document;
// this one has the origin and the policy of the page around it.

/** The stage's page, with the addresses of what it loads. */
export async function stagePage(addressOf: (name: string) => Promise<string>): Promise<string> {
  const [style, script, program, regular, bold] = await Promise.all(["stage.css", "stage.js", "stage.wasm", "go-regular.ttf", "go-bold.ttf"].map(addressOf));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>C-PSRL stage</title>
<link rel="stylesheet" href="${style}">
<script src="${script}" data-program="${program}" data-regular="${regular}" data-bold="${bold}" defer></script>
</head>
<body>
</body>
</html>`;
}
