import { isCommitted, MonotonicHeight, type JsonRpc } from "@vipscore/core/wire";

/** The block heights of a connection to an endpoint. */
export function openHeights(rpc: JsonRpc): MonotonicHeight {
  return new MonotonicHeight(rpc.endpoint, (signal) => readHeight(rpc, signal));
}

/** Reads the newest height whose state is committed. */
async function readHeight(rpc: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  const newest = await rpc.read("eth_blockNumber", [], (answer) => answer.quantity(), signal);
  return newest === 0n || (await isCommitted(rpc, newest, signal)) ? newest : newest - 1n;
}
