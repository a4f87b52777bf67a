import { VipError } from "@vipscore/core";
import { hintLines } from "../../output/reportError.ts";
import type { FindingState } from "../../output/table.ts";

/** Every check of `doctor`, then those that only `guard` has, in the order in which they are shown. */
export const checkNames = [
  "rollup",
  "versions",
  "second-endpoint",
  "contract",
  "control",
  "l1",
  "first-stage",
  "registration",
  "proposals",
  "open-stage",
  "totals",
  "signer",
  "balance",
  "snapshot",
  "rewards",
  "claims",
  "owner",
  "writers",
  "total-change",
  "endpoints",
] as const;

type CheckName = (typeof checkNames)[number];

/** One finding of a check, which may find several things. */
export interface Finding {
  /** Default: the check that found it. */
  readonly check?: CheckName;
  readonly state: FindingState;
  readonly text: string;
  /** Steps to fix it: commands, or a sentence. */
  readonly fix: readonly string[];
  /** True if the check failed, so that it found nothing. Default: false. */
  readonly isUnread?: boolean;
  /** True if a skipped check was made, and had nothing to compare. Default: false. */
  readonly isMade?: boolean;
  /** Figures that it has read. */
  readonly facts?: Facts;
}

/** Figures that `guard` serves as gauges. */
export interface Facts {
  readonly members?: number;
  /** What the bridge holds on L1, in the smallest unit. */
  readonly bridgeBalance?: number;
  /** Until when a challenge of a differing snapshot helps, as Unix time. */
  readonly challengeEnds?: number;
}

const findingOf =
  (state: FindingState) =>
  (text: string, ...fix: readonly string[]): Finding => ({ state, text, fix });
export const ok = findingOf("ok");
export const action = findingOf("action");
export const warning = findingOf("warning");
export const skipped = findingOf("skipped");

/** Collects findings. A check that fails is a finding too, and the next ones still run. */
export class Findings {
  readonly #found: Required<Finding>[] = [];
  readonly #made = new Set<CheckName>();
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get inOrder(): readonly Required<Finding>[] {
    return this.#found.toSorted((one, other) => checkNames.indexOf(one.check) - checkNames.indexOf(other.check));
  }

  get facts(): Facts {
    return Object.fromEntries(this.#found.flatMap(({ facts }) => Object.entries(facts)));
  }

  /** The checks that were made, whatever they found. */
  get made(): ReadonlySet<string> {
    return this.#made;
  }

  async add(
    check: CheckName,
    run: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
  ): Promise<void> {
    const found = await this.read(check, async () => run());
    if (found === undefined) return;
    this.#made.add(check);
    this.#push(check, ...[found].flat());
  }

  /** Reads what a check needs. Returns undefined, and adds a finding, if it cannot be read. */
  async read<T>(check: CheckName, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!VipError.isVipError(error)) throw error;
      const { code, shortMessage } = error;
      this.#push(check, { ...action(`${shortMessage} [${code}]`, ...hintLines(error)), isUnread: true });
      return undefined;
    }
  }

  #push(check: CheckName, ...found: readonly Finding[]): void {
    for (const { check: own = check, isUnread = false, isMade = false, facts = {}, ...finding } of found)
      this.#found.push({ ...finding, check: own, isUnread, isMade, facts });
  }
}
