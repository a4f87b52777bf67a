import { readBridgeInfo, type RollupBridge } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Settings } from "../settings/readSettings.ts";

/**
 * Returns the rollup's REST endpoint, which names its bridge: the given one, the rollup's endpoint where that is REST, or the
 * local node's; undefined if it is not known.
 */
export function rollupRestUrl({ vm, endpoint, localNode }: Settings, named: string | undefined): string | undefined {
  return named ?? (rollups[vm].endpoint.protocol === "REST" ? endpoint.value : localNode?.restUrl);
}

/** Reads the bridge that the rollup itself names; undefined if its REST endpoint is not known or it has no bridge yet. */
export async function readRollupBridge(
  { io, scrubber }: Context,
  settings: Settings,
  named?: string,
): Promise<RollupBridge | undefined> {
  const url = rollupRestUrl(settings, named);
  if (url === undefined) return undefined;
  scrubber.addUrl(url);
  return readBridgeInfo({ rollupRestUrl: url, signal: io.signal });
}
