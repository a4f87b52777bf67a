import type { Rollup } from "./rollup.ts";

export interface Stage {
  readonly exists: boolean;
  readonly total: bigint;
  /** Each write of rows changes it. */
  readonly revision: bigint;
}

export interface Row {
  /** `0x` and lower-case hex. */
  readonly account: string;
  readonly score: bigint;
}

/** What `evm.ts`, `move.ts` and `wasm.ts` read, each from its kind of contract. */
interface Reader {
  readonly readInitStage: (rollup: Rollup) => Promise<bigint>;
  readonly readStage: (rollup: Rollup, stage: bigint) => Promise<Stage>;
  /** Undefined without a row, which a score of 0 in a pushed file does not create. */
  readonly readScore: (rollup: Rollup, stage: bigint, account: string) => Promise<bigint | undefined>;
  /** Rows of the stage, some at a time. */
  readonly readPages: (rollup: Rollup, stage: bigint) => AsyncIterable<readonly Row[]>;
}

// Only the code of the rollup's VM is loaded.
export const readers: Readonly<Record<Rollup["vm"], () => Promise<Reader>>> = {
  evm: () => import("./evm.ts"),
  move: () => import("./move.ts"),
  wasm: () => import("./wasm.ts"),
};

/** Finds the open stage: each finalize creates the next one, so the stages from the first one to it exist. */
export async function findOpenStage(rollup: Rollup): Promise<bigint> {
  const { readInitStage, readStage } = await readers[rollup.vm]();
  let stage = await readInitStage(rollup);
  while ((await readStage(rollup, stage + BigInt(1))).exists) stage += BigInt(1);
  return stage;
}

/** An account's score in a stage, and its rank among all: 1 is the best, and equal scores share the better one. */
export interface Standing {
  readonly score: bigint;
  readonly rank: number;
  readonly accounts: number;
  readonly total: bigint;
}

/**
 * Reads all rows of a stage to count those above an account's; undefined without a score. Beyond some thousand accounts, let a server
 * count.
 *
 * @throws Error if the stage is written meanwhile.
 */
export async function readStanding(rollup: Rollup, stage: bigint, account: string): Promise<Standing | undefined> {
  const { readStage, readScore, readPages } = await readers[rollup.vm]();
  const { revision, total } = await readStage(rollup, stage);
  const score = await readScore(rollup, stage, account);
  if (score === undefined) return undefined;
  let [above, accounts] = [0, 0];
  for await (const rows of readPages(rollup, stage)) {
    above += rows.filter((row) => row.score > score).length;
    accounts += rows.length;
  }
  if ((await readStage(rollup, stage)).revision !== revision) throw new Error(`stage ${stage} has changed: try again`);
  return { score, rank: above + 1, accounts, total };
}
