import { VipError, type Stage } from "@vipscore/core";
import type { ScoreStore, StoredScores, StoredStage } from "../store/scores/scores.ts";
import type { StageRows } from "../store/scores/stageRows.ts";

/** A stage with its rows. */
export interface OpenedStage {
  readonly stage: StoredStage;
  readonly rows: StageRows;
}

interface LoadedStage {
  readonly firstPart: number;
  readonly lastPart: number;
  readonly rows: Promise<StageRows | undefined>;
}

/** The newest state of the scores in a database. The rows of a stage are read when they are first needed, then what is added. */
export class ScoreIndex {
  readonly #store: ScoreStore;
  readonly #mostRows: number;
  /** In order of use. */
  readonly #loaded = new Map<Stage, LoadedStage & { readonly size: number }>();
  #scores: StoredScores | undefined;

  /** @param mostRows - Rows in memory at most, 44 bytes each; the least recently used stage goes first, but not the last one. */
  constructor(store: ScoreStore, mostRows = 12_000_000) {
    [this.#store, this.#mostRows] = [store, mostRows];
  }

  /** Returns the contract and its stages; undefined without a contract. */
  async read(): Promise<StoredScores | undefined> {
    const version = await this.#store.readVersion();
    if (version === undefined) return undefined;
    // Its height may be older: every change of a stage has a version of its own.
    if (this.#scores?.version !== version) this.#scores = await this.#store.read();
    return this.#scores;
  }

  /**
   * Returns a stage in a state that it has now; undefined if the contract does not have it.
   *
   * @param known - What was just read. Default: reads it.
   */
  async open(number: Stage, known?: StoredScores): Promise<OpenedStage | undefined> {
    let scores = known ?? (await this.read());
    // A stage that was written again meanwhile is read again.
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const stage = scores?.stages.find((each) => each.stage === number);
      if (stage === undefined) return undefined;
      const rows = await this.#load(stage);
      if (rows !== undefined) return { stage, rows };
      this.#scores = undefined;
      scores = await this.read();
    }
    throw new VipError(`stage ${number} is written faster than it is read`, { code: "DATABASE_UNREACHABLE" });
  }

  async #load(stage: StoredStage): Promise<StageRows | undefined> {
    const { stage: number, firstPart, lastPart, accounts } = stage;
    const before = this.#loaded.get(number);
    if (before?.firstPart === firstPart && before.lastPart === lastPart) {
      this.#loaded.delete(number);
      this.#loaded.set(number, before);
      return before.rows;
    }
    const isEarlier = before?.firstPart === firstPart && before.lastPart < lastPart;
    const load = async (): Promise<StageRows | undefined> => {
      const known = isEarlier ? await before.rows : undefined;
      return this.#store.readRows(stage, known && { rows: known, lastPart: before?.lastPart ?? 0 });
    };
    const rows = load();
    this.#loaded.delete(number);
    this.#loaded.set(number, { firstPart, lastPart, rows, size: accounts });
    rows.then(
      (read) => read ?? this.#loaded.delete(number),
      () => this.#loaded.delete(number),
    );
    let sum = 0;
    for (const [each, { size }] of [...this.#loaded].toReversed()) {
      sum += size;
      if (sum > this.#mostRows && each !== number) this.#loaded.delete(each);
    }
    return rows;
  }
}
