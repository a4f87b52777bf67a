import type { Account, ReadOptions } from "@vipscore/core";
import type { BcsReader } from "./bcs.ts";
import { findResource, type ModuleReader } from "./moduleStore.ts";

/** The resource `Settings` of our module from version 2.0 on. */
export interface ModuleSettings {
  /** The account that alone finalizes; undefined where every member does. */
  readonly finalizer: Account | undefined;
  /** The publisher may add and remove members, as the published interface has it. */
  readonly publisherManages: boolean;
}

/**
 * Reads the module's settings; undefined for a module that has none: one before 2.0, or one that was upgraded and whose
 * publisher has not sent `create_settings_script`.
 */
export function findSettings(reader: ModuleReader, options: ReadOptions): Promise<ModuleSettings | undefined> {
  return findResource(reader, "Settings", readSettings, options);
}

function readSettings(from: BcsReader): ModuleSettings {
  const finalizer = from.length() === 0 ? undefined : from.address();
  const publisherManages = from.bool();
  // The table of revisions: its handle and its length.
  from.handle();
  from.u64();
  return { finalizer, publisherManages };
}
