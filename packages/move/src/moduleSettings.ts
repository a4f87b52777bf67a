import type { Account, ReadOptions } from "@vipscore/core";
import type { BcsReader } from "./bcs.ts";
import { findResource, type ModuleReader } from "./moduleStore.ts";

/** The resource `Settings` of our module, version 2.0 or later. */
export interface ModuleSettings {
  /** The only account that may finalize; undefined if every member may. */
  readonly finalizer: Account | undefined;
  /** True if the publisher may add and remove members, as in the published interface. */
  readonly publisherManages: boolean;
}

/**
 * Reads the module's settings; undefined if it has none: a module before 2.0, or an upgraded one whose publisher has not
 * called `create_settings_script`.
 */
export function findSettings(reader: ModuleReader, options: ReadOptions): Promise<ModuleSettings | undefined> {
  return findResource(reader, "Settings", readSettings, options);
}

function readSettings(from: BcsReader): ModuleSettings {
  const finalizer = from.length() === 0 ? undefined : from.address();
  const publisherManages = from.bool();
  // Skip the table of revisions: its handle and its length.
  from.handle();
  from.u64();
  return { finalizer, publisherManages };
}
