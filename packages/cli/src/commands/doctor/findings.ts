import { VipError } from "@vipscore/core";
import { hintLines } from "../../output/hintLines.ts";
import { action, checkNames, type CheckName, type Finding } from "./finding.ts";

/** Collects findings. A check that fails is a finding too, and the next ones still run. */
export class Findings {
  readonly #found: Finding[] = [];
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** All findings, by check in the order of {@link checkNames}. */
  get inOrder(): readonly Finding[] {
    return this.#found.toSorted((one, other) => checkNames.indexOf(one.check) - checkNames.indexOf(other.check));
  }

  /** Runs a check and adds what it finds. */
  async add(
    check: CheckName,
    run: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
  ): Promise<void> {
    const found = await this.read(check, async () => run());
    if (found !== undefined) this.#found.push(...[found].flat());
  }

  /** Reads what a check needs. Returns undefined, and adds a finding, if it cannot be read. */
  async read<T>(check: CheckName, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!VipError.isVipError(error)) throw error;
      const { code, shortMessage } = error;
      this.#found.push(action(check, `${shortMessage} [${code}]`, ...hintLines(error)));
      return undefined;
    }
  }
}
