// What the build needs of the parts, to put their first pictures into the page.

export { isLong, isLongName } from "./parts/experiment/room";
export { still } from "./parts/prior/still";
