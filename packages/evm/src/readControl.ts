import { zeroAddress, type Address } from "viem";
import type { Account, ContractControl, PinnedOptions } from "@vipscore/core";
import { callContract, type ContractReader } from "./callContract.ts";
import { toAccount } from "./toAccount.ts";

/** Reads the roles of our contract at one height. */
export async function readControl(reader: ContractReader, options: PinnedOptions): Promise<ContractControl> {
  const [owner, pending, finalizer, othersManage] = await Promise.all([
    callContract(reader, "owner", [], options),
    callContract(reader, "pendingOwner", [], options),
    callContract(reader, "finalizer", [], options),
    callContract(reader, "membersCanManage", [], options),
  ]);
  return {
    owner: toAccount(owner),
    pendingOwner: namedAccount(pending),
    finalizer: namedAccount(finalizer),
    othersManage,
    // The contract is not a proxy: nobody can replace its code.
    codeAdmin: undefined,
  };
}

function namedAccount(address: Address): Account | undefined {
  return address === zeroAddress ? undefined : toAccount(address);
}
