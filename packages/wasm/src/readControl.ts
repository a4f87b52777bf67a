import type { Account, ContractControl, ReadOptions } from "@vipscore/core";
import { findContract, querySmart, type AnswerOf, type ContractReader } from "./contractReader.ts";
import { readAccount } from "./scoreState.ts";
import type { OwnershipResponse } from "./vipScoreTypes.generated.ts";
import { accountOfAddress } from "./wasmAddress.ts";

/** Who manages a contract of ours. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The one account that finalizes stages; undefined where every member does. */
  readonly finalizer: Account | undefined;
  /** Allow-list members add and remove members too. */
  readonly membersCanManage: boolean;
}

/** Reads who owns the contract. */
export function readOwnership(reader: ContractReader, options: ReadOptions = {}): Promise<Ownership> {
  const read = (answer: AnswerOf<OwnershipResponse>): Ownership => {
    const pending = answer.optional("pending_owner");
    // A contract before 2.0 does not name one.
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

/** Who can change what on a contract of ours, at one height. */
export async function readControl(reader: ContractReader, options: ReadOptions = {}): Promise<ContractControl> {
  const [{ membersCanManage, ...ownership }, info] = await Promise.all([
    readOwnership(reader, options),
    findContract(reader, options),
  ]);
  return { ...ownership, othersManage: membersCanManage, codeAdmin: accountOfAddress(info?.admin) };
}
