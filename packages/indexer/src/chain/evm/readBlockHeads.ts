import type { EvmRpc } from "./evmRpc.ts";
import { badAnswer, quantity, readBytes, readCount, readObject } from "./hexValues.ts";
import { RpcRefusal } from "./rpcRefusal.ts";

const method = "eth_getBlockByNumber";

/**
 * The hash of a block in lower case; undefined where the node has no such block.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readBlockHash(rpc: EvmRpc, height: number, signal: AbortSignal): Promise<string | undefined> {
  const answer = await rpc.request(method, [quantity(height), false], signal);
  return answer === null ? undefined : readBytes(rpc, method, readObject(rpc, method, answer)["hash"], 32);
}

/**
 * The times of blocks by height, RFC 3339 in UTC, to the second, which is all that an EVM chain tells.
 *
 * @throws NodeError; the signal's reason when aborted.
 */
export async function readBlockTimes(
  rpc: EvmRpc,
  heights: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const answers = await rpc.requestAll(
    heights.map((height) => ({ method, params: [quantity(height), false] })),
    signal,
  );
  return new Map(heights.map((height, index) => [height, timeOf(rpc, answers[index])]));
}

function timeOf(rpc: EvmRpc, answer: unknown): string {
  if (answer instanceof RpcRefusal) throw answer;
  const seconds = readCount(rpc, method, readObject(rpc, method, answer)["timestamp"]);
  // The last second of the year 9999: RFC 3339 has no later one.
  if (seconds > 253_402_300_799) throw badAnswer(rpc, method, "a time beyond the year 9999", answer);
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
