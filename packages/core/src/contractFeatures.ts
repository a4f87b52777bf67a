import type { ContractFeatures } from "./scoreContract.ts";

/**
 * The version of a contract of this project whose major version is known here; undefined for any other text. Of a later major
 * version only the published interface is certain to behave as known.
 */
export function knownVersion(text: unknown): string | undefined {
  return typeof text === "string" && /^[12]\.\d+\.\d+$/.test(text) ? text : undefined;
}

/** What a contract of a version has; `version` is one that {@link knownVersion} gave. */
export function featuresOf(version: string | undefined): ContractFeatures {
  const isSecond = version?.startsWith("2.") === true;
  return { version, checkedFinalize: version !== undefined, revisions: isSecond, finalizer: isSecond };
}
