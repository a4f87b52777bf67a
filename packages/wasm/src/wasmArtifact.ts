import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { readFileBytes, type ContractFeatures } from "@vipscore/core";
import { artifactRefused } from "@vipscore/core/engine";

/** A contract's code. */
export interface ContractCode {
  readonly bytes: Buffer;
  /** sha256 of the bytes, with which the chain also identifies them. */
  readonly checksum: Buffer;
}

/** The code of a scoring contract. */
export interface WasmArtifact extends ContractCode {
  readonly features: ContractFeatures;
}

/** The messages and queries of the published interface. */
const published = [
  "update_scores",
  "update_score",
  "increase_score",
  "decrease_score",
  "finalize_stage",
  "add_allow_list",
  "remove_allow_list",
  "get_score",
  "get_scores",
  "get_stage_info",
];

const added: Readonly<Record<keyof ContractFeatures, readonly string[]>> = {
  checkedFinalize: ["get_stage", "finalize_stage_checked"],
  packed: ["get_stage", "get_init_stage", "get_scores_from", "get_scores_of", "update_scores_packed"],
  roles: [
    "get_ownership",
    "get_members",
    "is_member",
    "set_allow_list",
    "set_finalizer",
    "set_members_can_manage",
    "transfer_ownership",
    "accept_ownership",
  ],
};

/** The entry points without which no chain stores or instantiates the code. */
const entryPoints = ["interface_version_8", "instantiate", "execute", "query"];

/** The contract of this package; the same relative path from `src` and from `dist`. */
export const vipScoreFile: string = fileURLToPath(new URL("../artifacts/vip_score.wasm", import.meta.url));

/**
 * Reads the code of a scoring contract.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if the file is not the code of a CosmWasm contract, or lacks a
 * published message or query.
 */
export async function readWasmArtifact(file: string): Promise<WasmArtifact> {
  const bytes = await readFileBytes(file, file);
  const exported = moduleExports(bytes);
  const lacking = entryPoints.filter((name) => !exported.has(name));
  if (lacking.length > 0) {
    throw artifactRefused(file, `it is not the code of a CosmWasm contract: it does not export ${lacking.join(", ")}`, [
      "Pass the .wasm file of one contract, not compressed, with its entry points: without the feature library.",
    ]);
  }
  // A contract contains the names of its messages: Rust lists them in the error for an unknown one.
  const has = (name: string): boolean => bytes.includes(name);
  const missing = published.filter((name) => !has(name));
  if (missing.length > 0) {
    throw artifactRefused(file, `the contract lacks published messages or queries: ${missing.join(", ")}`);
  }
  const hasAll = (feature: keyof ContractFeatures): boolean => added[feature].every(has);
  const features = {
    checkedFinalize: hasAll("checkedFinalize"),
    packed: hasAll("packed"),
    roles: hasAll("roles"),
  };
  return { bytes, checksum: createHash("sha256").update(bytes).digest(), features };
}

/**
 * Returns a warning for code that was built without checks of overflows: its integers wrap around. Such code has the texts of
 * other panics of Rust, and none of an overflow. Code without any text of a panic shows neither.
 */
export function overflowWarning(bytes: Buffer): string | undefined {
  const hasPanics = ["index out of bounds", "called `Option::unwrap()`"].some((text) => bytes.includes(text));
  if (!hasPanics || bytes.includes(" with overflow")) return undefined;
  return "integers of this contract seem to wrap around: set overflow-checks = true in [profile.release] of Cargo.toml";
}

/** The part of Node's global that its types lack. */
declare const WebAssembly: {
  readonly Module: {
    new (bytes: Uint8Array): object;
    exports(module: object): readonly { readonly name: string }[];
  };
};

/** Returns the names that a Wasm module exports; none if the bytes are not a module. */
function moduleExports(bytes: Buffer): ReadonlySet<string> {
  try {
    const exported = WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(bytes)));
    return new Set(exported.map(({ name }) => name));
  } catch {
    return new Set();
  }
}
