// The documents' own script: the theme.

import { byId } from "./dom";
import { Theme } from "./theme";

const button = byId("theme", HTMLButtonElement);
new Theme(button);
button.hidden = false;
