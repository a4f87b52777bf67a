import { readObject, readU64 } from "./readField.ts";
import { HeightFloor, isMissingRoute, type RestClient } from "@vipscore/core/http";

/** The newest height whose state can be read. */
async function readHeight(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint> {
  try {
    // A block of a push has megabytes of transactions, so the height is asked for without its block.
    const path = "/cosmos/base/node/v1beta1/status";
    return readU64({ rest, path }, await rest.get(path, { signal }), "height");
  } catch (error) {
    if (!isMissingRoute(error)) throw error;
  }
  const path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
  const source = { rest, path };
  const block = readObject(source, await rest.get(path, { signal }), "block");
  return readU64(source, readObject(source, block, "header"), "height");
}

/** The heights that a connection to an endpoint sees. */
export function openHeights(rest: RestClient): HeightFloor {
  return new HeightFloor(rest.endpoint, (signal) => readHeight(rest, signal));
}
