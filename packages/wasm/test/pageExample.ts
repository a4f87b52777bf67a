/** Asks a contract over REST. Integers become decimal texts, since JSON.parse rounds those from 2^53 on. */
async function ask<T>(restUrl: string, contract: string, query: string): Promise<T> {
  const url = `${restUrl}/cosmwasm/wasm/v1/contract/${contract}/smart/${encodeURIComponent(btoa(query))}`;
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: status ${response.status}, ${text}`);
  // Texts stay as they are, whatever is in them.
  const exact = text.replace(/"(?:\\.|[^"\\])*"|\d+/g, (part) => (part.startsWith('"') ? part : `"${part}"`));
  return (JSON.parse(exact) as { data: T }).data;
}

/** Reads the scores of up to 100 accounts, init1…, in their order; null without a row. It fails if the stage does not exist. */
export async function readScores(restUrl: string, contract: string, stage: bigint, addrs: readonly string[]) {
  const query = `{"get_scores_of":{"stage":${stage},"addrs":${JSON.stringify(addrs)}}}`;
  return (await ask<{ scores: (string | null)[] }>(restUrl, contract, query)).scores;
}

/** Reads a stage; each write of rows changes its revision. */
export async function readStage(restUrl: string, contract: string, stage: bigint) {
  type Stage = { exists: boolean; total_score: string; is_finalized: boolean; count: string | null; revision: string };
  return ask<Stage>(restUrl, contract, `{"get_stage":{"stage":${stage}}}`);
}

/** Finds the open stage: each finalize creates the next one, so the stages from the first one to it exist. */
export async function findOpenStage(restUrl: string, contract: string) {
  const first = await ask<{ init_stage: string }>(restUrl, contract, `{"get_init_stage":{}}`);
  let stage = BigInt(first.init_stage);
  while ((await readStage(restUrl, contract, stage + 1n)).exists) stage += 1n;
  return stage;
}

/** Reads all rows of a stage. It fails if the stage is written meanwhile. */
export async function readRows(restUrl: string, contract: string, stage: bigint, limit = 1000) {
  const { revision } = await readStage(restUrl, contract, stage);
  const rows: { addr: string; score: string }[] = [];
  let from: string | null = null;
  do {
    const query = `{"get_scores_from":{"stage":${stage},"from":${JSON.stringify(from)},"limit":${limit}}}`;
    type Scores = { scores: { addr: string; score: string }[]; next: string | null };
    const page: Scores = await ask<Scores>(restUrl, contract, query);
    rows.push(...page.scores);
    from = page.next;
  } while (from !== null);
  if ((await readStage(restUrl, contract, stage)).revision !== revision) throw new Error(`stage ${stage} has changed`);
  return rows;
}
