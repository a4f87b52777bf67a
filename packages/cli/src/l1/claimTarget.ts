import { registrationAt } from "@vipscore/l1";
import type { RollupOnL1 } from "./compareSnapshot.ts";

/** Where a stage is claimed on L1: a proof is good for no other version. */
export interface ClaimTarget {
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  readonly version: bigint;
}

/** Returns where a stage is claimed; undefined if L1 takes it for no registration of the bridge. */
export function claimTarget({ bridge, current }: RollupOnL1, stage: bigint): ClaimTarget | undefined {
  if (registrationAt([bridge], stage) === undefined) return undefined;
  return { chainId: current.chainId, vipAddress: current.vip.address, version: bridge.version };
}
