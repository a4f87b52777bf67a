import { absentIf, HeightFloor, isMissingRoute, type RestClient } from "@vipscore/core/wire";

/** The block heights of a connection to an endpoint. */
export function openHeights(rest: RestClient): HeightFloor {
  return new HeightFloor(rest.endpoint, (signal) => readHeight(rest, signal));
}

/** Reads the newest height whose state is committed. */
async function readHeight(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint> {
  // A block of a push has megabytes of transactions: read the height without the block.
  const asked = rest.get("/cosmos/base/node/v1beta1/status", (answer) => answer.field("height").u64(), { signal });
  const height = await absentIf(isMissingRoute, asked);
  if (height !== undefined) return height;
  const path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
  return rest.get(path, (answer) => answer.field("block").field("header").field("height").u64(), { signal });
}
