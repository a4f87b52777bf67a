import type { ScoreContract } from "@vipscore/core";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/readSettings.ts";
import { openL1 } from "./compareSnapshot.ts";

/** Finds the contract's bridge on L1; warns and returns undefined without an L1 endpoint. */
export async function findL1(
  context: Context,
  { l1 }: Settings,
  { identity }: ScoreContract,
  bridgeId: bigint | undefined,
): Promise<Awaited<ReturnType<typeof openL1>> | undefined> {
  if (l1 !== undefined) return openL1(context, l1, { bridgeId, contract: identity });
  context.output.warn("not compared with L1: set --l1-rest-url or L1_REST_URL");
  return undefined;
}
