import { decodeMoveAddress } from "@vipscore/indexer-client/address";
import { readText, type Rollup } from "./rollup.ts";
import type { Row, Stage } from "./scores.ts";

/** Calls a view. Each argument is JSON: a u64 a string, a u16 a number, an Option null or its value. */
async function view<T>({ url, contract }: Rollup, name: string, ...args: readonly unknown[]): Promise<T> {
  const call = { address: contract, module_name: "vip_score", function_name: name, type_args: [] };
  const answer = await readText(`${url}/initia/move/v1/view/json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...call, args: args.map((arg) => JSON.stringify(arg)) }),
  });
  return JSON.parse((JSON.parse(answer) as { data: string }).data) as T;
}

/** A reference contract lacks `get_init_stage`, `get_scores_of` and `get_stage`. */
export async function readInitStage(rollup: Rollup): Promise<bigint> {
  return BigInt(await view<string>(rollup, "get_init_stage"));
}

export async function readStage(rollup: Rollup, stage: bigint): Promise<Stage> {
  type Read = { exists: boolean; total_score: string; revision: string };
  const { exists, total_score, revision } = await view<Read>(rollup, "get_stage", String(stage));
  return { exists, total: BigInt(total_score), revision: BigInt(revision) };
}

/** `get_scores_of` takes up to 1,000 accounts. */
export async function readScore(rollup: Rollup, stage: bigint, account: string): Promise<bigint | undefined> {
  const [score = null] = await view<(string | null)[]>(rollup, "get_scores_of", String(stage), [account]);
  return score === null ? undefined : BigInt(score);
}

export async function* readPages(rollup: Rollup, stage: bigint, limit = 1000): AsyncGenerator<Row[]> {
  let after: string | null = null;
  for (;;) {
    type Scores = { scores: { addr: string; score: string }[] };
    const { scores }: Scores = await view<Scores>(rollup, "get_scores", String(stage), limit, after);
    // Nodes omit leading zeros of an address.
    yield scores.map(({ addr, score }) => ({ account: decodeMoveAddress(addr), score: BigInt(score) }));
    if (scores.length < limit) return;
    after = scores.at(-1)?.addr ?? null;
  }
}
