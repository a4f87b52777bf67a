import type { Account, ContractControl, ReadOptions } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { findSettings } from "./moduleSettings.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { readAddress } from "./moveAddress.ts";
import { findPublishedModule } from "./publishedModule.ts";
import { callView } from "./viewFunction.ts";

/** Who owns a module of ours. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership_script` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
}

/** Reads the module's owner. */
export function readOwner(reader: ModuleReader, options: ReadOptions): Promise<Account> {
  return callView(reader, { name: "get_owner" }, readAddress, options);
}

/** Reads who owns the module, and to whom ownership is offered. */
export async function readOwnership(reader: ModuleReader, options: ReadOptions): Promise<Ownership> {
  const [owner, pendingOwner] = await Promise.all([
    readOwner(reader, options),
    callView(reader, { name: "get_pending_owner" }, readAddressOption, options),
  ]);
  return { owner, pendingOwner };
}

function readAddressOption(answer: Answer): Account | undefined {
  return answer.value === null ? undefined : readAddress(answer);
}

/** Reads the roles of our module at one height. */
export async function readControl(reader: ModuleReader, options: ReadOptions): Promise<ContractControl> {
  const [ownership, settings, module] = await Promise.all([
    readOwnership(reader, options),
    findSettings(reader, options),
    findPublishedModule(reader, options),
  ]);
  return {
    ...ownership,
    finalizer: settings?.finalizer,
    othersManage: settings?.publisherManages ?? true,
    codeAdmin: module?.upgradePolicy === "compatible" ? reader.address : undefined,
  };
}
