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
export function findAssertedSentences(text: string): readonly string[] {
  return [...text.matchAll(asserted)].flatMap(([, , expected = ""]) =>
    sentence.test(expected.replaceAll(values, "#")) && !quoted.has(expected) ? [expected] : [],
  );
}
