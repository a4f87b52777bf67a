import { expect, it } from "vitest";
import { findDeadLinks, findForeignLoads, findForeignStyles, type BuiltPage } from "../builtPages.ts";

const page = (html: string): BuiltPage => ({ path: "cli/a.html", html, ids: new Set(["here"]) });

it("findDeadLinks names missing files and headings", () => {
  const html = [
    '<a href="/">x</a><a class="y" href="../cli/a.html#here">x</a><a href="#here">x</a>',
    '<a href="https://example.org/gone">x</a><link href="/gone.css">',
    '<a title="a > b" href="gone.html">x</a><a href="#gone">x</a>',
  ];
  const self = page(html.join("\n"));
  expect(findDeadLinks(self, new Map([[self.path, self]]), new Set(["index.html", self.path]))).toEqual([
    "cli/a.html  gone.html  is missing",
    "cli/a.html  #gone  has no such heading",
  ]);
});

it("findForeignLoads names what is loaded, not what is linked", () => {
  const html = [
    '<a href="https://example.org/a">x</a><img src="/a.png"><link href="/a.css"><img src="data:image/png;base64,">',
    '<img src="https://example.org/b.png"><link rel="preload" href="//example.org/c.woff2"><script src="http://d/e.js">',
  ];
  expect(findForeignLoads(page(html.join("\n")))).toEqual([
    "cli/a.html  https://example.org/b.png",
    "cli/a.html  http://d/e.js",
    "cli/a.html  //example.org/c.woff2",
  ]);
});

it("findForeignStyles names imports and images", () => {
  const css = '@import "https://a/b.css"; a { background: url(//c/d.png) } b { background: url(data:image/svg+xml,e) }';
  expect(findForeignStyles(css)).toEqual(["https://a/b.css", "//c/d.png"]);
});
