/** Number of lines that explain a failure. */
const lineCount = 3;

/**
 * Patterns of lines that explain a failure, by tool, in the order in which a reader wants them: the test, the reason, the
 * place.
 */
const tellingLines = [
  // vitest
  /^\s*FAIL {1,2}\S/,
  /^(?:\w*Error|Caused by): /,
  /^\s*❯ \S+:\d+:\d+$/,
  // go test, go build
  /^\s*--- FAIL: /,
  /^\s+\S+_test\.go:\d+: /,
  /^\S+\.go:\d+:\d+: /,
  /^panic: /,
  // cargo test, rustc
  /^test .* FAILED$/,
  /^thread '.*' .*panicked at /,
  /^error(?:\[E\d+\])?: /,
  // Move unit tests
  /^\[ FAIL +\] /,
  // oxlint
  /^ {2}[x×] \S/,
  /^ +[,╭][-─]\[/,
  // tsc
  /^\S+\(\d+,\d+\): error TS\d+: /,
];

/** Lines that npm and Nx print about a command and its end, which the task's output says better. */
const noise = /^\s*npm (?:warn|error|notice)|^Warning: command |^> |^\s*$/i;

/**
 * Returns the three lines of a failed task's output that explain it best: those in which tools name a test, a reason and a
 * place; if there are too few, its last lines.
 *
 * @param {string} output Without control characters.
 * @returns {readonly string[]}
 */
export function explainFailure(output) {
  const lines = output.split("\n").filter((line) => !noise.test(line));
  const first = lines.findIndex((line) => tellingLines.some((telling) => telling.test(line)));
  if (first === -1) return lines.slice(-lineCount).map((line) => line.trim());
  const telling = lines.slice(first).filter((line) => tellingLines.some((pattern) => pattern.test(line)));
  const chosen = [...new Set(telling)].slice(0, lineCount);
  const rest = lines.slice(first).filter((line) => !chosen.includes(line));
  return [...chosen, ...rest.slice(0, lineCount - chosen.length)].map((line) => line.trim());
}
