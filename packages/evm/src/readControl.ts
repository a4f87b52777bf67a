import type { ContractControl, ContractFeatures } from "@vipscore/core";
import type { PinnedOptions } from "@vipscore/core/http";
import { zeroAddress } from "viem";
import { callContract, type ContractReader } from "./callContract.ts";
import { toAccount } from "./toAccount.ts";

/** Who can change what on a contract of ours, at one height. */
export async function readControl(
  reader: ContractReader,
  features: ContractFeatures,
  at: PinnedOptions,
): Promise<ContractControl> {
  const [owner, pending, othersManage] = await Promise.all([
    callContract(reader, "owner", [], at),
    callContract(reader, "pendingOwner", [], at),
    callContract(reader, "membersCanManage", [], at),
  ]);
  const pendingOwner = pending === zeroAddress ? undefined : toAccount(pending);
  // The address holds the code itself: nothing in it delegates a call.
  return { owner: toAccount(owner), pendingOwner, finalizer: undefined, othersManage, codeAdmin: undefined };
}
