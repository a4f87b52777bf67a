import { CheckError, type Account, type ContractControl, type ReadOptions } from "@vipscore/core";
import type { BcsReader } from "./bcs.ts";
import { findResource, type ModuleReader } from "./moduleStore.ts";
import { findPublishedModule } from "./publishedModule.ts";

/** The resource `Extension` of our module: all that it adds to the published state except the revisions. */
export interface ModuleExtension {
  readonly owner: Account;
  /** Who must call `accept_ownership_script` to become the owner; undefined when ownership is not offered. */
  readonly pendingOwner: Account | undefined;
  /** The only account that may finalize; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if the publisher may add and remove members, as in the published interface. */
  readonly publisherManages: boolean;
}

/** Reads the module's extension; undefined for a reference contract, and for one whose upgrade is not complete. */
export function findExtension(reader: ModuleReader, options: ReadOptions): Promise<ModuleExtension | undefined> {
  return findResource(reader, "Extension", decodeExtension, options);
}

/** @throws CheckError `NOT_SUPPORTED` if the module is ours and its upgrade from the reference is not complete. */
export async function readExtension(reader: ModuleReader, options: ReadOptions): Promise<ModuleExtension> {
  const extension = await findExtension(reader, options);
  if (extension !== undefined) return extension;
  throw new CheckError(`the upgrade of the module at ${reader.address} is not complete`, {
    code: "NOT_SUPPORTED",
    metaMessages: [
      "Until it is, nothing can be written, finalized or managed.",
      {
        code: "complete-upgrade",
        text: "To complete it, upgrade again with the publisher's key, or let the publisher call complete_upgrade_script.",
      },
    ],
  });
}

/** Reads the roles of our module at one height. */
export async function readControl(reader: ModuleReader, options: ReadOptions): Promise<ContractControl> {
  const [{ publisherManages, ...roles }, module] = await Promise.all([
    readExtension(reader, options),
    findPublishedModule(reader, options),
  ]);
  const codeAdmin = module?.upgradePolicy === "compatible" ? reader.address : undefined;
  return { ...roles, othersManage: publisherManages, codeAdmin };
}

function decodeExtension(from: BcsReader): ModuleExtension {
  const owner = from.address();
  const pendingOwner = option(from);
  const finalizer = option(from);
  const publisherManages = from.bool();
  // Skip the table of revisions: its handle and its length.
  from.handle();
  from.u64();
  return { owner, pendingOwner, finalizer, publisherManages };
}

function option(from: BcsReader): Account | undefined {
  return from.length() === 0 ? undefined : from.address();
}
