import { decodeMoveAddress } from "@vipscore/indexer-client/address";

/** Calls a view. Each argument is JSON: a u64 a string, a u16 a number, an Option null or its value. */
async function view<T>(restUrl: string, contract: string, name: string, ...args: readonly unknown[]): Promise<T> {
  const url = `${restUrl}/initia/move/v1/view/json`;
  const call = { address: contract, module_name: "vip_score", function_name: name, type_args: [] };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...call, args: args.map((arg) => JSON.stringify(arg)) }),
  });
  if (!response.ok) throw new Error(`${url}: status ${response.status}, ${await response.text()}`);
  const { data } = (await response.json()) as { data: string };
  return JSON.parse(data) as T;
}

/** Reads the scores of up to 1,000 accounts in their order, as decimal numbers; null for an account without a row. */
export async function readScores(restUrl: string, contract: string, stage: bigint, accounts: readonly string[]) {
  return view<(string | null)[]>(restUrl, contract, "get_scores_of", String(stage), accounts);
}

/** Reads a stage; each write of rows changes its revision. */
export async function readStage(restUrl: string, contract: string, stage: bigint) {
  type Stage = { exists: boolean; total_score: string; is_finalized: boolean; score_count: string; revision: string };
  return view<Stage>(restUrl, contract, "get_stage", String(stage));
}

/** Finds the open stage: each finalize creates the next one, so the stages from the first one to it exist. */
export async function findOpenStage(restUrl: string, contract: string) {
  let stage = BigInt(await view<string>(restUrl, contract, "get_init_stage"));
  while ((await readStage(restUrl, contract, stage + BigInt(1))).exists) stage += BigInt(1);
  return stage;
}

/** Reads all rows of a stage. It fails if the stage is written meanwhile. */
export async function readRows(restUrl: string, contract: string, stage: bigint, limit = 1000) {
  const { revision } = await readStage(restUrl, contract, stage);
  const rows: { addr: string; score: string }[] = [];
  for (;;) {
    const after = rows.at(-1)?.addr ?? null;
    type Scores = { scores: { addr: string; score: string }[] };
    const { scores } = await view<Scores>(restUrl, contract, "get_scores", String(stage), limit, after);
    // Nodes omit leading zeros of an address.
    rows.push(...scores.map(({ addr, score }) => ({ addr: decodeMoveAddress(addr), score })));
    if (scores.length < limit) break;
  }
  if ((await readStage(restUrl, contract, stage)).revision !== revision) throw new Error(`stage ${stage} has changed`);
  return rows;
}
