import type { Account, ContractControl, ContractFeatures, PinnedOptions } from "@vipscore/core";
import { zeroAddress, type Address } from "viem";
import { callContract, type ContractReader } from "./callContract.ts";
import { toAccount } from "./toAccount.ts";

/** Who can change what on a contract of ours, at one height. */
export async function readControl(
  reader: ContractReader,
  features: Pick<ContractFeatures, "finalizer">,
  at: PinnedOptions,
): Promise<ContractControl> {
  const [owner, pending, finalizer, othersManage] = await Promise.all([
    callContract(reader, "owner", [], at),
    callContract(reader, "pendingOwner", [], at),
    features.finalizer ? callContract(reader, "finalizer", [], at) : zeroAddress,
    callContract(reader, "membersCanManage", [], at),
  ]);
  return {
    owner: toAccount(owner),
    pendingOwner: namedAccount(pending),
    finalizer: namedAccount(finalizer),
    othersManage,
    // The address holds the code itself: nothing in it delegates a call.
    codeAdmin: undefined,
  };
}

function namedAccount(address: Address): Account | undefined {
  return address === zeroAddress ? undefined : toAccount(address);
}
