import { zeroAddress, type Address } from "viem";
import type { Account, ContractControl, PinnedOptions } from "@vipscore/core";
import { accountOfAddress } from "./evmAddress.ts";
import { readContract, type ContractReader } from "./readContract.ts";

/** Reads the roles of our contract at one height. */
export async function readControl(reader: ContractReader, options: PinnedOptions): Promise<ContractControl> {
  const [owner, pending, finalizer, othersManage] = await Promise.all([
    readContract(reader, "owner", [], options),
    readContract(reader, "pendingOwner", [], options),
    readContract(reader, "finalizer", [], options),
    readContract(reader, "membersCanManage", [], options),
  ]);
  return {
    owner: accountOfAddress(owner),
    pendingOwner: namedAccount(pending),
    finalizer: namedAccount(finalizer),
    othersManage,
    // The contract is not a proxy: nobody can replace its code.
    codeAdmin: undefined,
  };
}

function namedAccount(address: Address): Account | undefined {
  return address === zeroAddress ? undefined : accountOfAddress(address);
}
