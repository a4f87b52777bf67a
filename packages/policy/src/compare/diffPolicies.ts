import { findPolicyFile, readText } from "../files/policyFile.ts";
import type { Policy } from "../policy.ts";

/** A file of which two policies have different texts, or that only one of them names. */
export interface PolicyFileChange {
  /** Its path inside the folders. */
  readonly name: string;
  /** The lines of one text only, after `- ` those of the first policy, after `+ ` those of the other. Empty if the texts are large. */
  readonly lines: readonly string[];
}

/** Compares the files that two policies name: sources and constants, the query, and tables. Sorts by name. */
export async function diffPolicies(before: Policy, after: Policy): Promise<readonly PolicyFileChange[]> {
  const changes: PolicyFileChange[] = [];
  for (const name of [...new Set([...before.files.keys(), ...after.files.keys()])].sort()) {
    if (before.files.get(name)?.sha256 === after.files.get(name)?.sha256) continue;
    const isLarge = [before, after].some(({ files }) => (files.get(name)?.bytes ?? 0) > mostBytes);
    changes.push({ name, lines: isLarge ? [] : diffLines(await linesOf(before, name), await linesOf(after, name)) });
  }
  return changes;
}

/** Bytes and lines of the largest text that is compared line by line. */
const mostBytes = 2 ** 20;
const mostLines = 2000;

async function linesOf({ folder, files }: Policy, name: string): Promise<readonly string[]> {
  if (!files.has(name)) return [];
  return (await readText(await findPolicyFile(folder, name, name))).replace(/\n$/, "").split("\n");
}

/** Finds the lines that are in one text only by a longest common subsequence. */
export function diffLines(old: readonly string[], next: readonly string[]): readonly string[] {
  if (Math.max(old.length, next.length) > mostLines) return [];
  /** The number of common lines from one of each text on. */
  const common = [...old, ""].map(() => new Uint16Array(next.length + 1));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    const counts = common[row] ?? [];
    for (let column = next.length - 1; column >= 0; column -= 1) {
      const isSame = old[row] === next[column];
      counts[column] = isSame ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: string[] = [];
  for (let [row, column] = [0, 0]; row < old.length || column < next.length;) {
    if (old[row] === next[column]) [row, column] = [row + 1, column + 1];
    else if (column === next.length || (row < old.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push(`- ${old[row++]}`);
    else lines.push(`+ ${next[column++]}`);
  }
  return lines;
}
