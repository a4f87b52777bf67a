import { CheckError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract } from "../scoreContract.ts";

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
 * @param check - Reads at the given height, and throws a CheckError to refuse.
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
    if (!(error instanceof CheckError)) throw error;
    const newest = await newestShown(port, { signal });
    if (newest === height) throw error;
    return check(newest);
  }
}

/** Returns the newest height of any node behind the endpoint. */
export function newestShown(port: HeightPort, { signal }: SignalOptions): Promise<bigint> {
  return port.getHeight({ asks: readsOfAll, signal });
}
