import type { MoveChain } from "./moveChain.ts";

/**
 * Returns a line for each entry of a table that a transaction changed, of the tables that an account's resources lead to: an entry
 * whose key has the number of a stage, and everything below it.
 */
export async function changedEntries(
  chain: MoveChain,
  { owner, stage, hash }: { readonly owner: string; readonly stage: bigint; readonly hash: string },
): Promise<readonly string[]> {
  const height = await chain.heightOf(hash);
  const [before, after] = await Promise.all([
    entriesOf(chain, { owner, stage, height: height - 1 }),
    entriesOf(chain, { owner, stage, height }),
  ]);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key} from ${before.get(key) ?? "nothing"} to ${after.get(key) ?? "nothing"}`);
}

interface Where {
  readonly owner: string;
  readonly stage: bigint;
  readonly height: number;
}

/** Walks through the tables at a height, and returns the stage's entries by their path. */
async function entriesOf(chain: MoveChain, { owner, stage, height }: Where): Promise<ReadonlyMap<string, string>> {
  const number = new RegExp(`(?<!\\d)${stage}(?!\\d)`);
  const found = new Map<string, string>();
  const walk = async (path: string, value: string, isOwn: boolean): Promise<void> => {
    for (const [, handle = ""] of value.matchAll(/"handle":"(0x[0-9a-f]+)"/g)) {
      for (const entry of await chain.tableEntries(handle, height)) {
        const below = `${path}[${entry.key}]`;
        const isOfStage = isOwn || number.test(entry.key);
        if (isOfStage) found.set(below, entry.value);
        await walk(below, entry.value, isOfStage);
      }
    }
  };
  for (const resource of await chain.resources(owner, height)) {
    const { type } = JSON.parse(resource) as { readonly type: string };
    await walk(type, resource, false);
  }
  return found;
}
