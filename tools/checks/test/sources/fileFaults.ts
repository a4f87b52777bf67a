import { basename } from "node:path";

/** Maximum lines of code in a file. */
export const maxCodeLines = 300;

/**
 * A Move function has to be in the module that declares the structs whose fields it uses, and an entry function or an abort code of
 * L1's `vip` in a module of that name.
 */
const longFiles = new Set(["contracts/move/sources/vip_score.move", "tools/vipnode/l1/vip/sources/vip.move"]);

/** Ways to skip a test, by extension; oxlint finds `it.skip` and `describe.skip` itself. */
const skips: Readonly<Record<string, RegExp>> = {
  ts: /\.(skipIf|runIf)\(|\b(context|ctx|task)\.skip\(/,
  go: /\b[tbf]\.(Skip|Skipf|SkipNow)\(/,
  rs: /#\[ignore\b/,
};

/** Returns what docs/guidelines.md rules out in a source file of any language, as `path  reason`. */
export function findFileFaults(path: string, text: string): readonly string[] {
  const lines = countCodeLines(text);
  const skip = skips[path.slice(path.lastIndexOf(".") + 1)]?.exec(text);
  return [
    lines > maxCodeLines && !longFiles.has(path) ? `${lines} lines of code` : undefined,
    /(^|\/)(utils?|common)(\/|\.)/.test(path) ? "is named for no job" : undefined,
    basename(path) === "index.ts" && !onlyExports(text) ? "does more than export" : undefined,
    skip ? `skips a test: ${skip[0]}` : undefined,
    ...findAssertedSentences(text).map((words) => `asserts a sentence: ${words}`),
  ].flatMap((reason) => (reason === undefined ? [] : [`${path}  ${reason}`]));
}

/** Lines with more than comments and white space. A `//` within a string counts as a comment, unless it is part of a URL. */
function countCodeLines(text: string): number {
  const code = text.replaceAll(/(?<!\w:)\/\/.*|\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""));
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

function onlyExports(text: string): boolean {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  return code.replaceAll(/export (type )?(\{[^}]*\}|\*( as \w+)?) from "[^"]+";/g, "").trim() === "";
}

/** The first argument of an assertion about a text: a string, a template or a regular expression. */
const asserted =
  /(?:\.(?:toBe|toContain|toMatch|toThrow(?:Error)?|stringContaining|stringMatching)\(|\bshortMessage:)\s*(?:new RegExp\(\s*)?(["'`/])((?:\\.|(?!\1)[^\\\n])*)\1/g;

/** Parts of it that are not prose: an escape, an inserted value, and a command line, which people type as it is. */
const values = /(?:\\b|\b)(?:apt-get|initiad|minitiad|npm|npx|vipscore)(?: \S+)*|\\[a-z]|\$\{[^}]*\}/gi;

/** Three words, of which capitals may only start the first: names of products and keywords of SQL are values. */
const sentence = /[A-Za-z]+[,;:]? [a-z]+[,;:]? [a-z]+/;

/** The words of others: of Chromium, of a contract that a test did not write, of every chain. */
const quoted: ReadonlySet<string> = new Set(["Failed to fetch", "contract's current owner", "out of gas"]);

/** Returns what the assertions of a test expect word by word, so that a better sentence would break them. */
function findAssertedSentences(text: string): readonly string[] {
  return [...text.matchAll(asserted)].flatMap(([, , expected = ""]) =>
    sentence.test(expected.replaceAll(values, "#")) && !quoted.has(expected) ? [expected] : [],
  );
}
