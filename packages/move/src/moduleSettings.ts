import type { Account, ReadOptions } from "@vipscore/core";
import { isNotFound } from "@vipscore/core/http";
import { BcsLayoutError, BcsReader } from "./bcs.ts";
import { moduleName, type ModuleReader } from "./moduleStore.ts";
import { readBase64, readObject, unreadable } from "./readField.ts";

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
export async function findSettings(
  { rest, address }: ModuleReader,
  options: ReadOptions,
): Promise<ModuleSettings | undefined> {
  const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
  const query = { struct_tag: `${address}::${moduleName}::Settings` };
  const source = { rest, path };
  const answer = await rest.get(path, { ...options, query }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (answer === undefined) return undefined;
  const bytes = readBase64(source, readObject(source, answer, "resource"), "raw_bytes");
  try {
    const from = new BcsReader(bytes);
    const finalizer = from.length() === 0 ? undefined : from.address();
    const publisherManages = from.bool();
    // The table of revisions: its handle and its length.
    from.handle();
    from.u64();
    if (from.isAtEnd) return { finalizer, publisherManages };
  } catch (error) {
    if (!(error instanceof BcsLayoutError)) throw error;
  }
  return unreadable(source, "Settings", bytes.toString("hex"));
}
