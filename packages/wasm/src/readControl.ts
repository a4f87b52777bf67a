import type { Account, ContractControl, ReadOptions } from "@vipscore/core";
import { findContract, querySmart, type AnswerOf, type ContractReader } from "./contractReader.ts";
import { readAccount } from "./scoreState.ts";
import type { OwnershipResponse } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** Who manages our contract. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The only account that may finalize stages; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if allow-list members may add and remove members. */
  readonly membersCanManage: boolean;
}

/** Reads who owns the contract. */
export function readOwnership(reader: ContractReader, options: ReadOptions = {}): Promise<Ownership> {
  const read = (answer: AnswerOf<OwnershipResponse>): Ownership => {
    const pending = answer.optional("pending_owner");
    const finalizer = answer.optional("finalizer");
    return {
      owner: readAccount(answer.field("owner")),
      pendingOwner: pending && readAccount(pending),
      finalizer: finalizer && readAccount(finalizer),
      membersCanManage: answer.field("members_can_manage").boolean(),
    };
  };
  return querySmart(reader, { get_ownership: {} }, read, options);
}

/** Reads the roles of our contract at one height. */
export async function readControl(reader: ContractReader, options: ReadOptions = {}): Promise<ContractControl> {
  const [{ membersCanManage, ...ownership }, info] = await Promise.all([
    readOwnership(reader, options),
    findContract(reader, options),
  ]);
  return { ...ownership, othersManage: membersCanManage, codeAdmin: accountOfAddress(info?.admin) };
}
