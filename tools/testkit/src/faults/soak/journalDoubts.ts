import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Returns the hashes of the transactions that a journal records as sent but not as settled. */
export async function unsettledHashes(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const unsettled = new Set<string>();
  // A last line without a line feed was still being written, so its transaction was never sent.
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  for (const line of lines) {
    const { sent, settled } = JSON.parse(line) as {
      readonly sent?: { readonly hash: string };
      readonly settled?: { readonly hash: string };
    };
    if (sent !== undefined) unsettled.add(sent.hash);
    if (settled !== undefined) unsettled.delete(settled.hash);
  }
  return [...unsettled];
}
