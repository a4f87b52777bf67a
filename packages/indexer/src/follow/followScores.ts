import {
  NodeError,
  readStage,
  stage as toStage,
  u64Max,
  type Account,
  type ScoreContract,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { digestScores, pause } from "@vipscore/core/engine";
import type { ReadScoreEvents, StageWrites } from "../chain/scoreEvents.ts";
import type { IndexedChain } from "../store/indexedChain.ts";
import type { IndexedStage, ScoreStore, StageChange } from "../store/scores/scores.ts";
import { StageRows } from "../store/scores/stageRows.ts";
import { times } from "../times.ts";
import { buildTree } from "./buildTree.ts";
import type { FollowOptions } from "./followChain.ts";
import { NewHeads, type HeadChain } from "./newHeads.ts";
import { patiently, type Patience } from "./patiently.ts";

/** The contract to follow, and the store to write to. */
export interface FollowScoresOptions extends Pick<FollowOptions, "pollMs" | "onEvent" | "signal"> {
  readonly contract: ScoreContract;
  readonly chain: HeadChain;
  readonly readEvents: ReadScoreEvents;
  readonly store: ScoreStore;
  /** The rollup's bridge on L1, to store the Merkle trees of finalized stages. Default: the one of the store, if it has one. */
  readonly bridgeId?: bigint | undefined;
}

/** Blocks above which the stage is read as a whole instead of their events. */
const mostEventBlocks = 2_000;

/**
 * Checks in a row that show another state than events before it is believed: a node may be behind, or ahead of the height that
 * it was asked for, but a contract may also write rows that it does not emit. An older revision is never believed.
 */
const otherChecks = 10;

/**
 * Milliseconds from which on reading events may be skipped until the stage rests, if it takes more than a quarter of reading the
 * stage: of Move's 100,000 events it takes six seconds of processor time, of as many rows one.
 */
const longEventsMs = 200;

/**
 * How many times longer than reading a stage as a whole nothing is read while it is written, or only to compare the rows of
 * events. A stage that rests is read at once.
 */
const readPause = 20;

/**
 * Follows the stages of a scoring contract until the signal aborts, and retries a failing node or database without limit.
 *
 * The contract's state decides, and events only save reading it: their rows are stored if total, number of accounts and
 * revision then are the contract's, else all rows are read, as after packed batches, at a restart and when a stage is
 * finalized. What is stored is always a state that the contract had. The chain must not reorganize, as in `followChain`.
 *
 * @throws VipError `CHAIN_RESTARTED`, `CONFIG_INVALID` for the database of another contract; errors of the store.
 */
export async function followScores(options: FollowScoresOptions): Promise<void> {
  const { chain, store, pollMs = times.pollMs, onEvent, signal } = options;
  const patience: Patience = { onEvent, signal };
  const heads = new NewHeads({ chain, pollMs, noteHead: store.noteHead }, patience);
  const begin = async () => {
    const indexed = await store.begin(options.contract.identity, options.bridgeId);
    await storeTrees(options);
    const open = new OpenStage(options, patience);
    await open.resume();
    return { indexed, open };
  };
  let known: Awaited<ReturnType<typeof begin>> | undefined;
  const step = async (): Promise<void> => {
    const { indexed, open } = (known ??= await begin());
    const head = await heads.next(indexed, { isPatient: !open.hasWork });
    // Read first: if the chain is reset while the stage is read, the next check sees it.
    const blockHash = head === indexed.height ? indexed.blockHash : await heads.readHash(head);
    const found = await open.check(indexed, head);
    // Another state than events say, or nothing new.
    if (found === undefined) return pause(pollMs, signal);
    if (found.length === 0 && head === indexed.height) return;
    // If this fails, the database is read again: the commit may have succeeded although its answer was lost.
    known = undefined;
    await store.apply(found, { height: head, blockHash });
    for (const change of found) open.stored(change, head);
    if (found.some(({ isFinalized }) => isFinalized)) await storeTrees(options);
    known = { open, indexed: { ...indexed, height: head, blockHash } };
  };
  try {
    while (!signal.aborted) await patiently(step, patience);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  }
}

/** Stores the Merkle trees of the finalized stages that have none: after a kill, or since no bridge was known. */
async function storeTrees({ store, signal }: FollowScoresOptions): Promise<void> {
  const { bridgeId, stages = [] } = (await store.read()) ?? {};
  if (bridgeId === undefined) return;
  for (const stored of stages) {
    if (!stored.isFinalized || stored.root !== undefined) continue;
    const rows = await store.readRows(stored);
    if (rows === undefined) continue;
    const { stage, total } = stored;
    await store.storeTree(await buildTree({ bridgeId, stage, total }, rows, signal));
  }
}

/** The stage that may change: the first one that is not stored as finalized. The contract opens the next one then. */
class OpenStage {
  readonly #options: FollowScoresOptions;
  readonly #patience: Patience;
  #stage: Stage | undefined;
  #stored: IndexedStage | undefined;
  #rows = StageRows.none;
  /** Why its rows are to be read: no event said them, or the events' rows are not the contract's. Undefined if they are stored. */
  #unread: "unsaid" | "differs" | undefined;
  /** True if rows of events were stored since all rows were last read. */
  #isUncompared = false;
  /** How long reading all rows took, and when it ended, in milliseconds. */
  #lastRead = { ms: 0, end: 0 };
  /** The scores that events have said since the rows were those of the contract. */
  readonly #said = new Map<Account, bigint>();
  /** What the contract said at the last check. */
  #seen: StageInfo | undefined;
  #skipsEvents = false;
  /** Checks in a row that showed another state than events. */
  #others = 0;

  constructor(options: FollowScoresOptions, patience: Patience) {
    this.#options = options;
    this.#patience = patience;
  }

  /** True if the stage is to be read, even if no block comes. */
  get hasWork(): boolean {
    return this.#stage !== undefined && (this.#unread !== undefined || this.#isUncompared);
  }

  async resume(): Promise<void> {
    const { contract, store } = this.#options;
    const known = new Map((await store.read())?.stages.map((stored) => [stored.stage, stored]));
    let stage: Stage | undefined = await contract.getInitStage({ signal: this.#patience.signal });
    while (stage !== undefined && known.get(stage)?.isFinalized === true) stage = stageAfter(stage);
    const stored = stage && known.get(stage);
    this.#open(stage, stored, stored && (await store.readRows(stored)));
  }

  /** Returns the changes up to a block; undefined if the endpoint shows another state than that of the block. */
  async check({ height, blockHash }: IndexedChain, head: number): Promise<readonly StageChange[] | undefined> {
    const { signal } = this.#patience;
    const stage = this.#stage;
    if (stage === undefined) return [];
    const said = blockHash === "" ? undefined : await this.#readEvents({ first: height + 1, last: head });
    const writes = said?.get(stage);
    const info = await this.#options.contract.getStage(stage, { height: BigInt(head), signal });
    if (info === undefined && this.#stored === undefined) return [];
    if (info === undefined || this.#isOther(info, said, writes)) {
      this.#others += 1;
      return undefined;
    }
    const isMoving = writes !== undefined || info.revision !== this.#seen?.revision;
    [this.#others, this.#seen] = [0, info];
    if (!isMoving) this.#skipsEvents = false;
    const change = said && this.#takeEvents(info, writes);
    if (change !== undefined) return [change];
    if (said === undefined && !(info.revision !== undefined && this.#isStored(info))) this.#unread ??= "unsaid";
    if (!this.hasWork && !info.isFinalized) return [];
    // Without events and revisions, nothing shows whether there is anything to read.
    const isKnown = said !== undefined || info.revision !== undefined;
    const isDue = info.isFinalized || (this.#unread !== undefined && !isMoving && isKnown);
    const { end, ms } = this.#lastRead;
    if (!isDue && performance.now() < end + ms * readPause) return [];
    return this.#readRows(info, head);
  }

  /** Takes note that a change is stored. */
  stored(change: StageChange, head: number): void {
    const { stage, rows, added = rows, accounts, differences } = change;
    if (change.isFinalized) this.#open(stageAfter(stage));
    else [this.#stored, this.#rows] = [change, rows];
    this.#patience.onEvent?.({ type: "scored", height: head, stage, rows: added.size, accounts, differences });
  }

  #open(stage: Stage | undefined, stored?: IndexedStage, rows = StageRows.none): void {
    [this.#stage, this.#stored, this.#rows, this.#unread, this.#isUncompared] = [stage, stored, rows, "unsaid", false];
    this.#seen = undefined;
  }

  /** True if a contract's state is not the one that events say: from before them, or from after the last block. */
  #isOther(
    info: StageInfo,
    said: ReadonlyMap<Stage, StageWrites> | undefined,
    writes: StageWrites | undefined,
  ): boolean {
    const known = this.#stored?.revision;
    const change = known === undefined || info.revision === undefined ? undefined : info.revision - known;
    if (change !== undefined && change < 0n) {
      this.#others = 0;
      return true;
    }
    if (said === undefined || this.#others >= otherChecks) return false;
    const total = writes?.total ?? this.#seen?.total ?? info.total;
    if (total !== info.total || change === undefined) return total !== info.total;
    return writes === undefined ? this.#unread === undefined && change > 0n : change === 0n;
  }

  /** True if a contract's state, besides its rows, is the stored one. */
  #isStored(info: StageInfo): boolean {
    return this.#stored !== undefined && isCounted(info, this.#stored) && info.revision === this.#stored.revision;
  }

  /** Returns what events say; undefined if they are not read, as on a node that has pruned them. */
  async #readEvents(range: { readonly first: number; readonly last: number }) {
    if (range.first > range.last) return new Map<Stage, StageWrites>();
    if (this.#skipsEvents || range.last - range.first >= mostEventBlocks) return undefined;
    const started = performance.now();
    try {
      const said = await this.#options.readEvents(range, this.#patience.signal);
      const ms = performance.now() - started;
      // Only a revision shows without events that a node is behind.
      this.#skipsEvents = this.#stored?.revision !== undefined && ms > Math.max(longEventsMs, this.#lastRead.ms / 4);
      return said;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      this.#patience.onEvent?.({ type: "eventsUnread", error, ...range });
      return undefined;
    }
  }

  /** Returns the change of an open stage by the rows of events, if these are all that the contract has; else has them read. */
  #takeEvents(info: StageInfo, writes: StageWrites | undefined): StageChange | undefined {
    if (writes === undefined) {
      if (!this.#isStored(info)) this.#unread ??= "differs";
      return undefined;
    }
    if (writes.isPacked) this.#unread = "unsaid";
    for (const row of writes.scores) this.#said.set(...row);
    if (this.#unread !== undefined || this.#stored === undefined) return undefined;
    this.#isUncompared = true;
    const added = StageRows.from(writes.scores);
    const rows = this.#rows.merge(added);
    let { total } = this.#stored;
    for (const [account, score] of writes.scores) total += score - (this.#rows.get(account) ?? 0n);
    if (!isCounted(info, { total, accounts: rows.size })) this.#unread = "differs";
    if (this.#unread !== undefined || info.isFinalized) return undefined;
    this.#said.clear();
    return { ...stateOf(info), accounts: rows.size, rows, added };
  }

  /** Reads all rows, and returns what changes; undefined if they came from a node that is behind. */
  async #readRows(shown: StageInfo, head: number): Promise<readonly StageChange[] | undefined> {
    const started = performance.now();
    const options = { height: BigInt(head), info: shown, signal: this.#patience.signal };
    const { scores, info } = await readStage(this.#options.contract, shown.stage, options);
    if (scores.total !== info.total) {
      const sum = `the rows of stage ${info.stage} add up to ${scores.total} at height ${head}`;
      throw new NodeError(`${sum}, the contract's total is ${info.total}`, { code: "NODE_BAD_RESPONSE" });
    }
    if (isBefore(info, shown)) return undefined;
    const changed = new Map<Account, bigint>();
    let [kept, said] = [0, 0];
    for (const [account, score] of scores) {
      const before = this.#rows.get(account);
      if (before !== undefined) kept += 1;
      if (before === score) continue;
      changed.set(account, score);
      if (this.#said.get(account) === score) said += 1;
    }
    const differences = this.#unread === "unsaid" ? 0 : changed.size - said;
    const added = kept === this.#rows.size ? StageRows.from(changed) : undefined;
    this.#said.clear();
    const end = performance.now();
    [this.#unread, this.#isUncompared, this.#lastRead] = [undefined, false, { ms: end - started, end }];
    const rows = added ? this.#rows.merge(added) : StageRows.from(new Map(scores));
    const digest = info.isFinalized ? digestScores(scores) : undefined;
    const isStored = added?.size === 0 && !info.isFinalized && this.#isStored(info);
    return isStored ? [] : [{ ...stateOf(info), accounts: scores.size, digest, rows, added, differences }];
  }
}

/** True if a stage, read again, is from before what was shown of it. */
function isBefore(info: StageInfo, shown: StageInfo): boolean {
  if (shown.isFinalized && !info.isFinalized) return true;
  return info.revision === undefined ? info.total !== shown.total : info.revision < (shown.revision ?? 0n);
}

/** The stage that the contract opens when a stage is finalized; undefined after the last one. */
function stageAfter(stage: Stage): Stage | undefined {
  return stage === u64Max ? undefined : toStage(stage + 1n);
}

type Counted = Pick<IndexedStage, "total" | "accounts">;

function isCounted({ total, count }: StageInfo, counted: Counted): boolean {
  return total === counted.total && (count === undefined || count === BigInt(counted.accounts));
}

/** What a contract says about a stage, besides its rows. */
function stateOf({ stage, total, revision, isFinalized }: StageInfo) {
  return { stage, total, revision, isFinalized, digest: undefined, differences: 0 };
}
