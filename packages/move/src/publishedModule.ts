import type { ReadOptions } from "@vipscore/core";
import { moduleName, type ModuleReader } from "./moduleStore.ts";
import { isNotFound, isObject, type RestAnswer } from "@vipscore/core/http";
import { readBase64, readObject, readText, unreadable } from "./readField.ts";

/** What a later publish under the same name may change: what stays compatible, or nothing. */
export type UpgradePolicy = "compatible" | "immutable";

/** The module that an address has under the scoring module's name. */
export interface PublishedModule {
  readonly code: Buffer;
  readonly upgradePolicy: UpgradePolicy;
  /** True if it has the functions of the published interface. */
  readonly isScoring: boolean;
}

/** The entry functions that every scoring module has, with the parameters that the node lists. */
const publishedEntries: Readonly<Record<string, readonly string[]>> = {
  add_deployer_script: ["&signer", "address"],
  remove_deployer_script: ["&signer", "address"],
  set_init_stage: ["&signer", "u64"],
  update_score_script: ["&signer", "u64", "vector<address>", "vector<u64>"],
  finalize_script: ["&signer", "u64"],
};

/** Reads the module at an address; undefined where there is none of that name. */
export async function findPublishedModule(
  { rest, address }: ModuleReader,
  options: ReadOptions,
): Promise<PublishedModule | undefined> {
  const path = `/initia/move/v1/accounts/${address}/modules/${moduleName}`;
  const source = { rest, path };
  let answer: RestAnswer;
  try {
    answer = await rest.get(path, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  const found = readObject(source, answer, "module");
  const policy = readText(source, found, "upgrade_policy");
  const abi = readText(source, found, "abi");
  if (policy !== "COMPATIBLE" && policy !== "IMMUTABLE") return unreadable(source, "upgrade_policy", policy);
  return {
    code: readBase64(source, found, "raw_bytes"),
    upgradePolicy: policy === "IMMUTABLE" ? "immutable" : "compatible",
    isScoring: hasPublishedEntries(abi),
  };
}

function hasPublishedEntries(abi: string): boolean {
  const functions = new Map<unknown, unknown>();
  try {
    const parsed: unknown = JSON.parse(abi);
    const list = isObject(parsed) ? parsed["exposed_functions"] : undefined;
    if (!Array.isArray(list)) return false;
    for (const entry of list) if (isObject(entry)) functions.set(entry["name"], entry["params"]);
  } catch {
    return false;
  }
  return Object.entries(publishedEntries).every(([name, params]) => {
    const found = functions.get(name);
    return Array.isArray(found) && found.join() === params.join();
  });
}
