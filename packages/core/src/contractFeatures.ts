import type { ContractFeatures } from "./scoreContract.ts";

/**
 * Returns the version of a contract of this project if its major version is known; undefined for any other text. In a later
 * major version, only the published interface is certain to behave the same.
 */
export function knownVersion(text: unknown): string | undefined {
  return typeof text === "string" && /^[12]\.\d+\.\d+$/.test(text) ? text : undefined;
}

/** Returns the features of a contract version, which comes from {@link knownVersion}. */
export function featuresOf(version: string | undefined): ContractFeatures {
  const isSecond = version?.startsWith("2.") === true;
  return { version, checkedFinalize: version !== undefined, revisions: isSecond, finalizer: isSecond };
}
