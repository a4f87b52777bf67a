import { readBridgeInfo, type RollupBridge } from "@vipscore/l1";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/readSettings.ts";

/** Reads the bridge that the rollup itself names; undefined if its REST endpoint is not known or it has no bridge yet. */
export async function readRollupBridge(
  { io, scrubber }: Context,
  { rollupRestUrl }: Settings,
): Promise<RollupBridge | undefined> {
  if (rollupRestUrl === undefined) return undefined;
  scrubber.addUrl(rollupRestUrl);
  return readBridgeInfo({ rollupRestUrl, signal: io.signal });
}
