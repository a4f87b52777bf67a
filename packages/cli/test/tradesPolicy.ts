import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The rollup of a policy, and its one source, the table `trades` of a CSV. */
export const tradesSource = `
[rollup]
chain_id = "rollup-1"

[[source]]
name = "trades"
kind = "reference"
file = "trades.csv"
columns = { address = "address", volume = "integer" }
`;

export async function writePolicyFolder(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
}
