import type { Account } from "../account.ts";
import { NodeError, VipError } from "../errors/vipError.ts";
import type { ReadOptions } from "../readOptions.ts";
import type { ScoreContract, StageInfo } from "../scoreContract.ts";
import { stage as toStage, u64Max, type Score, type Stage } from "../stage.ts";
import { ScoreTable } from "../table/scoreTable.ts";
import { readUntil } from "../time/patience.ts";

/** A stage and all its rows, read at one height. */
export interface StageState {
  readonly info: StageInfo;
  readonly height: bigint;
  readonly scores: StageScores;
}

/** A stage and its scores as a table, read at one height. */
export interface StageTable {
  readonly info: StageInfo;
  readonly height: bigint;
  readonly table: ScoreTable;
}

export interface ReadStageOptions extends ReadOptions {
  /** The table that the scores will be compared with, if any: saves memory. */
  readonly table?: ScoreTable;
  /** The stage if it was already read at this height, to avoid reading it twice. */
  readonly info?: StageInfo | undefined;
}

/**
 * Reads a stage and all its rows at one height. If the rows do not agree with the contract's own count and total, the pages
 * came from different states, and it reads the stage again, for `patienceMs.behind`: a node that is behind may answer from its own state
 * without saying so.
 *
 * @throws VipError `STAGE_NOT_FOUND`; NodeError `NODE_BAD_RESPONSE` when the rows do not agree with the contract's count,
 * so that a lost page never counts as missing rows. Leaves a wrong total to the caller.
 */
export async function readStage(
  contract: ScoreContract,
  stage: Stage,
  options: ReadStageOptions = {},
): Promise<StageState> {
  let { info } = options;
  const { state, fault } = await readUntil(
    () => {
      const known = info;
      info = undefined;
      return readOnce(contract, stage, { ...options, info: known });
    },
    (read) => read.fault === undefined && read.state.scores.total === read.state.info.total,
    options,
  );
  if (fault !== undefined) throw fault;
  return state;
}

async function readOnce(
  contract: ScoreContract,
  stage: Stage,
  options: ReadStageOptions,
): Promise<{ readonly state: StageState; readonly fault: NodeError | undefined }> {
  const { table, signal } = options;
  const height = options.height ?? (await contract.getHeight({ signal }));
  const info = options.info ?? (await contract.getStage(stage, { height, signal }));
  if (info === undefined) throw await stageNotFound(contract, stage, { height, signal });
  const scores = new StageScores(table);
  let listed = 0;
  if (info.count !== 0n) {
    for await (const page of contract.getScores(stage, { height, info, table, signal })) {
      listed += page.length;
      for (const { account, score } of page) scores.set(account, score);
    }
  }
  const state = { info, height, scores };
  const { count = BigInt(scores.size) } = info;
  if (listed === scores.size && count === BigInt(listed)) return { state, fault: undefined };
  const fault = new NodeError(
    `the node listed ${listed} rows of ${scores.size} accounts of stage ${stage} at height ${height}, the contract counts ${count}`,
    {
      code: "NODE_BAD_RESPONSE",
      metaMessages: ["Its pages come from different states; use an endpoint that serves reads at a height."],
    },
  );
  return { state, fault };
}

/**
 * Reads a stage as a table: what a file of its scores would hold.
 *
 * @throws VipError `STAGE_NOT_FOUND`; NodeError.
 */
export async function readStageTable(
  contract: ScoreContract,
  stage: Stage,
  options: Omit<ReadStageOptions, "table">,
): Promise<StageTable> {
  const { info, height, scores } = await readStage(contract, stage, options);
  return { info, height, table: scores.toTable() };
}

/**
 * Returns the newest stages of a contract, at most `limit`, oldest first. A stage is created when the previous one is finalized,
 * so doubling the distance from the contract's first stage and then halving it finds the newest: about two reads for each binary
 * digit.
 */
export async function listLastStages(
  contract: Pick<ScoreContract, "getStage">,
  { first, limit, ...at }: ReadOptions & { readonly first: Stage; readonly limit: number },
): Promise<readonly StageInfo[]> {
  const exists = async (number: bigint): Promise<boolean> =>
    number <= u64Max && (await contract.getStage(toStage(number), at)) !== undefined;
  let known: bigint = first;
  let step = 1n;
  while (await exists(known + step)) {
    known += step;
    step *= 2n;
  }
  for (; step > 0n; step /= 2n) if (await exists(known + step)) known += step;
  const infos: StageInfo[] = [];
  for (let number = known; number >= first && infos.length < limit; number -= 1n) {
    const info = await contract.getStage(toStage(number), at);
    if (info !== undefined) infos.unshift(info);
  }
  return infos;
}

/** Returns the error for a stage that does not exist, naming the first stage. */
export async function stageNotFound(
  contract: ScoreContract,
  stage: Stage,
  options: ReadOptions = {},
): Promise<VipError> {
  const first = await contract.getInitStage(options);
  const hint =
    stage < first
      ? `The contract starts at stage ${first}.`
      : `The contract starts at stage ${first}; a later stage is created when the previous one is finalized.`;
  const at = options.height === undefined ? "" : ` at height ${options.height.toLocaleString("en-US")}`;
  return new VipError(`stage ${stage} does not exist on ${contract.identity.address}${at}`, {
    code: "STAGE_NOT_FOUND",
    metaMessages: [hint],
  });
}

/**
 * The scores of a stage, by account. Scores of accounts in a table are stored by their position in that table: a million take
 * 9 MB, while a separate map would take 140.
 */
export class StageScores implements Iterable<readonly [Account, Score]> {
  readonly #table: ScoreTable | undefined;
  /** By the account's position in the table. */
  readonly #scores: BigUint64Array;
  /** 1 if the stage has a row for the account at this position. */
  readonly #isListed: Uint8Array;
  /** Scores of accounts missing from the table. */
  readonly #others = new Map<Account, Score>();
  #size = 0;
  #total = 0n;

  /** @param table - The table that the scores will be compared with, if any. */
  constructor(table?: ScoreTable) {
    this.#table = table;
    this.#scores = new BigUint64Array(table?.size ?? 0);
    this.#isListed = new Uint8Array(table?.size ?? 0);
  }

  /** Number of accounts with a row, including rows of score 0. */
  get size(): number {
    return this.#size;
  }

  /** Sum of all scores. */
  get total(): bigint {
    return this.#total;
  }

  /** Sets a row; a later one of the same account replaces it. */
  set(account: Account, score: Score): void {
    const position = this.#table?.positionOf(account);
    const before = this.#at(position, account);
    if (before === undefined) this.#size += 1;
    this.#total += score - (before ?? 0n);
    if (position === undefined) this.#others.set(account, score);
    else {
      this.#scores[position] = score;
      this.#isListed[position] = 1;
    }
  }

  /** Returns the account's score, or undefined if it has no row. */
  get(account: Account): Score | undefined {
    return this.#at(this.#table?.positionOf(account), account);
  }

  /** Yields the accounts with a row: those of the table in its order, then the others as the node listed them. */
  *keys(): IterableIterator<Account> {
    let position = 0;
    for (const account of this.#table?.keys() ?? []) {
      if (this.#isListed[position] === 1) yield account;
      position += 1;
    }
    yield* this.#others.keys();
  }

  *[Symbol.iterator](): IterableIterator<readonly [Account, Score]> {
    for (const account of this.keys()) yield [account, this.get(account) ?? 0n];
  }

  /** Yields the rows of accounts missing from a table. */
  *outside(table: ScoreTable): IterableIterator<readonly [Account, Score]> {
    for (const row of table === this.#table ? this.#others : this)
      if (table.positionOf(row[0]) === undefined) yield row;
  }

  /** Returns the scores as a table of their own. */
  toTable(): ScoreTable {
    return ScoreTable.from(Array.from(this, ([account, score]) => ({ account, score })));
  }

  #at(position: number | undefined, account: Account): Score | undefined {
    if (position === undefined) return this.#others.get(account);
    return this.#isListed[position] === 1 ? this.#scores[position] : undefined;
  }
}
