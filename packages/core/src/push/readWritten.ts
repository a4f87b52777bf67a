import { CheckError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import { readUntil } from "../time/patience.ts";
import { readsOfAll } from "./checkNewest.ts";
import type { Journal } from "./journal.ts";

/** Options of {@link readWritten}. */
export interface ReadWrittenOptions extends SignalOptions {
  /** The journal of the stage, if it has one. */
  readonly journal: Journal | undefined;
}

/**
 * Reads a stage that holds at least what the journal has as written. Each call raises the revision by one, so if the stage does
 * not exist or has fewer revisions, either a node that is behind answered for a newer height without saying so, or the chain
 * was started again. If any node has the journal's last transaction, reads again, for ten seconds, and then believes the node.
 *
 * @param read - Throws CheckError `STAGE_NOT_FOUND` if the node does not have the stage.
 * @param revisionOf - The stage's revision in what was read; undefined for a contract without revisions.
 * @throws the errors of `read`; NodeError.
 */
export async function readWritten<T>(
  contract: ScoreContract,
  read: () => Promise<T>,
  revisionOf: (value: T) => bigint | undefined,
  { journal, signal }: ReadWrittenOptions,
): Promise<T> {
  const written = journal?.written ?? [];
  const last = written.at(-1);
  if (last === undefined) return read();
  const attempt = async (): Promise<Attempt<T>> => {
    try {
      const value = await read();
      const revision = revisionOf(value);
      return { value, isOld: revision !== undefined && revision < BigInt(written.length) };
    } catch (error) {
      if (!(error instanceof CheckError) || error.code !== "STAGE_NOT_FOUND") throw error;
      return { error, isOld: true };
    }
  };
  let shown = await attempt();
  if (shown.isOld && (await isKnown(contract, last, { signal }))) {
    shown = await readUntil(attempt, ({ isOld }) => !isOld, { signal });
  }
  if ("error" in shown) throw shown.error;
  return shown.value;
}

type Attempt<T> = { readonly isOld: boolean } & ({ readonly value: T } | { readonly error: CheckError });

/** True if any node behind the endpoint has the transaction in a block. */
async function isKnown(contract: ScoreContract, hash: string, options: SignalOptions): Promise<boolean> {
  const asked = await Promise.all(Array.from({ length: readsOfAll }, () => contract.lookUp(hash, options)));
  return asked.some(({ state }) => state === "included");
}
