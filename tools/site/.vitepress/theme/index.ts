// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import "./site.css";

// The theme with fonts would add 14 files of 640 kB.
export { default } from "vitepress/theme-without-fonts";
