import type { Account, ContractControl, ReadOptions } from "@vipscore/core";
import { findSettings } from "./moduleSettings.ts";
import type { ModuleReader } from "./moduleStore.ts";
import { accountOfJson } from "./moveAddress.ts";
import { findPublishedModule } from "./publishedModule.ts";
import { unreadable } from "./readField.ts";
import { callView } from "./viewFunction.ts";

/** Who owns a module of ours. */
export interface Ownership {
  readonly owner: Account;
  /** Who must call `accept_ownership_script` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
}

/** Reads who owns the module. */
export async function readOwnership(reader: ModuleReader, options: ReadOptions): Promise<Ownership> {
  const [owner, pending] = await Promise.all([
    callView(reader, "get_owner", [], options),
    callView(reader, "get_pending_owner", [], options),
  ]);
  const source = { rest: reader.rest, path: "view get_owner" };
  return {
    owner: accountOfJson(owner) ?? unreadable(source, "address", owner),
    pendingOwner: pending === null ? undefined : (accountOfJson(pending) ?? unreadable(source, "address", pending)),
  };
}

/** Who can change what on a module of ours, at one height. */
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
