import { formatBech32 } from "@vipscore/core/values";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { readText, type Rollup } from "./rollup.ts";
import type { Row, Stage } from "./scores.ts";

/** Asks a contract over REST. Integers become decimal texts, since JSON.parse rounds those from 2^53 on. */
async function ask<T>({ url, contract }: Rollup, query: string): Promise<T> {
  const text = await readText(`${url}/cosmwasm/wasm/v1/contract/${contract}/smart/${encodeURIComponent(btoa(query))}`);
  // Texts stay as they are, whatever is in them.
  const exact = text.replace(/"(?:\\.|[^"\\])*"|\d+/g, (part) => (part.startsWith('"') ? part : `"${part}"`));
  return (JSON.parse(exact) as { data: T }).data;
}

/** A reference contract has `get_stage_info` and `get_scores` instead of what the next functions ask for. */
export async function readInitStage(rollup: Rollup): Promise<bigint> {
  return BigInt((await ask<{ init_stage: string }>(rollup, `{"get_init_stage":{}}`)).init_stage);
}

export async function readStage(rollup: Rollup, stage: bigint): Promise<Stage> {
  type Read = { exists: boolean; total_score: string; revision: string };
  const { exists, total_score, revision } = await ask<Read>(rollup, `{"get_stage":{"stage":${stage}}}`);
  return { exists, total: BigInt(total_score), revision: BigInt(revision) };
}

/** The contract takes accounts as init1… only, and fails if the stage does not exist. */
export async function readScore(rollup: Rollup, stage: bigint, account: string): Promise<bigint | undefined> {
  const query = `{"get_scores_of":{"stage":${stage},"addrs":["${formatBech32(account)}"]}}`;
  const [score = null] = (await ask<{ scores: (string | null)[] }>(rollup, query)).scores;
  return score === null ? undefined : BigInt(score);
}

export async function* readPages(rollup: Rollup, stage: bigint, limit = 1000): AsyncGenerator<Row[]> {
  let from: string | null = null;
  do {
    const query = `{"get_scores_from":{"stage":${stage},"from":${JSON.stringify(from)},"limit":${limit}}}`;
    type Scores = { scores: { addr: string; score: string }[]; next: string | null };
    const page: Scores = await ask<Scores>(rollup, query);
    yield page.scores.map(({ addr, score }) => ({ account: decodeAddress(addr), score: BigInt(score) }));
    from = page.next;
  } while (from !== null);
}
