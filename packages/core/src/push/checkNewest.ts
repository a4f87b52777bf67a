import { isFailedCheck, VipError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";
import { readUntil } from "../time/patience.ts";
import type { Journal } from "./journal.ts";

/**
 * Number of times to ask an endpoint before all of its nodes count as asked. With two nodes behind it, one of which lags,
 * the chance that all answers come from that node is one in a million.
 */
export const readsOfAll = 20;

type HeightPort = Pick<ScoreContract, "getHeight">;
/**
 * Runs checks on the newest state. A node that lags behind does not know a stage that was just opened or a contract that was
 * just deployed, so a refusal counts only if no node of the endpoint shows a newer state; otherwise the checks run on that one.
 *
 * @param check - Reads at the given height, and throws the VipError of a failed check to refuse.
 */
export async function checkNewest<T>(
  port: HeightPort,
  check: (height: bigint) => Promise<T>,
  { signal }: SignalOptions,
): Promise<T> {
  const height = await port.getHeight({ signal });
  try {
    return await check(height);
  } catch (error) {
    if (!isFailedCheck(error)) throw error;
    const newest = await newestShown(port, { signal });
    if (newest === height) throw error;
    return check(newest);
  }
}

/** Returns the newest height of any node behind the endpoint. */
export function newestShown(port: HeightPort, { signal }: SignalOptions): Promise<bigint> {
  return port.getHeight({ asks: readsOfAll, signal });
}

/** Asks as often as it takes every node behind the endpoint to answer. */
export function askAll<T>(ask: () => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: readsOfAll }, ask));
}

/**
 * Reads a stage that holds at least what the journal says was written. Each call raises the revision and uses a sequence of the
 * signer, so if the stage does not exist, has fewer revisions, or is from before the last sequence, either a node that is behind
 * answered, perhaps for a newer height without saying so, or the chain was started again. If any node has the journal's last
 * transaction, reads again, for `patienceMs.behind`, and then believes the node.
 *
 * @param read - Throws VipError `STAGE_NOT_FOUND` if the node does not have the stage.
 * @param shownOf - Height and revision of what was read; the latter is undefined for a contract without revisions.
 */
export async function readWritten<T>(
  contract: ScoreContract,
  read: () => Promise<T>,
  shownOf: (value: T) => { readonly height: bigint; readonly revision: bigint | undefined },
  { journal, signal }: SignalOptions & { readonly journal: Journal | undefined },
): Promise<T> {
  const { written = [], lastSequence = -1n } = journal ?? {};
  const last = written.at(-1);
  if (last === undefined) return read();
  const attempt = async (): Promise<Attempt<T>> => {
    try {
      const value = await read();
      const { height, revision = BigInt(written.length) } = shownOf(value);
      const sequence = contract.signer === undefined ? undefined : await contract.getSequence({ height, signal });
      return { value, isOld: revision < BigInt(written.length) || (sequence ?? lastSequence + 1n) <= lastSequence };
    } catch (error) {
      if (!(error instanceof VipError) || error.code !== "STAGE_NOT_FOUND") throw error;
      return { error, isOld: true };
    }
  };
  let shown = await attempt();
  if (shown.isOld && (await knowsTransaction(contract, last, { signal }))) {
    shown = await readUntil(attempt, ({ isOld }) => !isOld, { signal });
  }
  if ("error" in shown) throw shown.error;
  return shown.value;
}

type Attempt<T> = { readonly isOld: boolean } & ({ readonly value: T } | { readonly error: VipError });

/** True if any node behind the endpoint has the transaction in a block, or cannot show whether it has. */
async function knowsTransaction(contract: ScoreContract, hash: string, options: SignalOptions): Promise<boolean> {
  const asked = await askAll(() => contract.lookUp(hash, options));
  return asked.some(({ state }) => state === "included" || state === "unindexed");
}
