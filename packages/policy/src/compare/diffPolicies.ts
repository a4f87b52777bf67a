import type { SignalOptions } from "@vipscore/core";
import { findPolicyFile, readText } from "../files/policyFile.ts";
import type { Policy } from "../policy.ts";

/** A file of which two policies have different texts, or that only one of them names. */
export interface PolicyFileChange {
  /** Its path inside the folders. */
  readonly name: string;
  /**
   * Its changed lines after `- ` or `+ `, and two lines around each after two spaces; `…` stands for others. Empty if a text is
   * larger than 1 MiB.
   */
  readonly lines: readonly string[];
}

/** Compares the files that two policies name: sources and constants, the query, and tables. Sorts by name. */
export async function diffPolicies(
  before: Policy,
  after: Policy,
  options: SignalOptions = {},
): Promise<readonly PolicyFileChange[]> {
  const changes: PolicyFileChange[] = [];
  for (const name of [...new Set([...before.files.keys(), ...after.files.keys()])].sort()) {
    const [one, other] = [before.files.get(name), after.files.get(name)];
    if (one?.sha256 === other?.sha256) continue;
    const isLarge = Math.max(one?.bytes ?? 0, other?.bytes ?? 0) > 2 ** 20;
    const [old, next] = isLarge
      ? [[], []]
      : [await linesOf(before, name, options), await linesOf(after, name, options)];
    changes.push({ name, lines: diffLines(old, next) });
  }
  return changes;
}

async function linesOf({ folder, files }: Policy, name: string, options: SignalOptions): Promise<readonly string[]> {
  if (!files.has(name)) return [];
  const text = await readText(await findPolicyFile(folder, name, name), options);
  return text.replace(/\n$/, "").split("\n");
}

/** Cells of the largest table of common lines: longer texts are shown as removed and added. */
const mostCells = 4_000_000;
/** Unchanged lines that are shown around a change. */
const around = 2;

/** Returns the lines of {@link PolicyFileChange}, by a longest common subsequence. */
export function diffLines(old: readonly string[], next: readonly string[]): readonly string[] {
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, next.length) - start;
  while (end < most && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = next.slice(start, next.length - end);
  const lines = [
    ...old.slice(0, start).map((line) => `  ${line}`),
    ...diffMiddle(removed, added),
    ...old.slice(old.length - end).map((line) => `  ${line}`),
  ];
  const isNear = (_: string, index: number): boolean =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith(" "));
  return lines.flatMap((line, index) => {
    if (isNear(line, index)) return [line];
    return index === 0 || isNear("", index - 1) ? ["…"] : [];
  });
}

function diffMiddle(old: readonly string[], next: readonly string[]): readonly string[] {
  const width = next.length + 1;
  const isShort = (old.length + 1) * width <= mostCells;
  /** The number of common lines from a line of each on. */
  const common = new Uint32Array(isShort ? (old.length + 1) * width : 0);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  if (isShort) {
    for (let row = old.length - 1; row >= 0; row -= 1) {
      for (let column = next.length - 1; column >= 0; column -= 1) {
        common[row * width + column] =
          old[row] === next[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      }
    }
  }
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < next.length) {
    const isBoth = row < old.length && column < next.length;
    if (isShort && isBoth && old[row] === next[column]) {
      lines.push(`  ${old[row]}`);
      row += 1;
      column += 1;
    } else if (column === next.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`- ${old[row]}`);
      row += 1;
    } else {
      lines.push(`+ ${next[column]}`);
      column += 1;
    }
  }
  return lines;
}
