import { vms } from "../contractIdentity.ts";
import { InputError } from "../errors/inputError.ts";
import {
  count,
  fields,
  list,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  sha256,
  text,
  u64,
  type Field,
  type ReadField,
} from "../field.ts";
import { parseJson } from "../readJsonFile.ts";
import { stage, type Stage } from "../stage.ts";
import {
  manifestFormat,
  policyDigest,
  type ManifestBlock,
  type ManifestChain,
  type ManifestPolicy,
  type ManifestWindow,
  type ScoresManifest,
} from "./scoresManifest.ts";

/** The last time that a JavaScript date can have, in seconds. */
const latestTime = 8_640_000_000_000;

const blockFields = object({ height: count, hash: text, time: count });
const windowFields = object({ first: readManifestBlock, last: readManifestBlock, from: oneOf(["policy", "l1"]) });
const policyFields = object({
  name: text,
  version: text,
  sha256,
  files: list(object({ name: text, bytes: count, sha256 })),
});
const snapshotFields = { root: orNull(sha256), bridgeId: u64 };
const readSnapshot = fields(snapshotFields);
const chainFields = object({
  contract: object({ vm: oneOf(vms), chainId: text, address: text }),
  transactions: list(text),
  finalization: optional(orNull(text)),
  root: optional(snapshotFields.root),
  bridgeId: optional(snapshotFields.bridgeId),
});
const readMisfit = object({ height: count, transaction: text, event: count });
const leftFields = { misfits: optional(list(readMisfit)), leftOut: optional(count) };
const readManifest = object({
  format: readFormat,
  stage: readManifestStage,
  policy: readManifestPolicy,
  rollup: object({ vm: nullable(oneOf(vms)), chainId: text }),
  window: nullable(readManifestWindow),
  sources: list(object({ name: text, kind: text, rows: count, sha256, assumed: optional(text), ...leftFields })),
  versions: object({ vipscore: text, duckdb: text }),
  scores: object({ file: readFileName, accounts: count, total: u64, sha256 }),
  excluded: count,
  chain: optional(readChain),
  signature: optional(object({ signer: hex(20), eip191: hex(65) })),
});

/**
 * Parses the text of a manifest. Every field must be there, with a value that it can have, and no other field.
 *
 * @param file The file's name, for messages.
 * @throws InputError `INPUT_INVALID` with the field.
 */
export function parseManifest(json: string, file: string): ScoresManifest {
  const { format: _, ...manifest } = readManifest(parseJson(json, file, refuseManifest, refuseText));
  return manifest;
}

function refuseManifest(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`);
}

/** The text is another file, so it helps to say where manifests are. */
function refuseText(file: string, problem: string): InputError {
  return new InputError(`${file} ${problem}`, {
    metaMessages: [
      { code: "write-manifest", text: "A policy's run writes one beside its CSV, such as scores12.manifest.json." },
    ],
  });
}

function readFormat(field: Field): void {
  if (field.value !== manifestFormat) {
    field.fail(`is not "${manifestFormat}", which this version of vipscore writes and reads`);
  }
}

function readManifestStage(field: Field): Stage {
  const value = u64(field);
  return value === 0n ? field.fail("is 0; stages count from 1") : stage(value);
}

function readManifestPolicy(field: Field): ManifestPolicy {
  const policy = policyFields(field);
  const byName = new Map(policy.files.map((file) => [file.name, file]));
  if (byName.size < policy.files.length) field.at("files").fail("names a file twice");
  if (policyDigest(byName) !== policy.sha256) field.at("sha256").fail("is not the digest of policy.files");
  return policy;
}

function readManifestWindow(field: Field): ManifestWindow {
  const window = windowFields(field);
  return window.last.height < window.first.height ? field.at("last").fail("is below first") : window;
}

function readManifestBlock(field: Field): ManifestBlock {
  const block = blockFields(field);
  return block.time > latestTime ? field.at("time").fail("is beyond the year 275760") : block;
}

function readFileName(field: Field): string {
  const name = text(field);
  // A manifest from a stranger must not name a file elsewhere.
  const isElsewhere = /[/\\]/.test(name) || name === "." || name === "..";
  return isElsewhere ? field.failExpected("the name of a file beside the manifest") : name;
}

function readChain(field: Field): ManifestChain {
  const { contract, transactions, finalization, root, bridgeId } = chainFields(field);
  const snapshot = root === undefined && bridgeId === undefined ? undefined : readSnapshot(field);
  return { contract, transactions, finalization, snapshot };
}

function orNull<T>(read: ReadField<T>): ReadField<T | null> {
  return (field) => (field.value === null ? null : read(field));
}

/** Returns a reader of `0x` and the hex digits of some bytes. */
function hex(bytes: number): ReadField<`0x${string}`> {
  const read = matching(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`), `0x and ${2 * bytes} hex digits`);
  return (field) => `0x${read(field).slice(2)}`;
}
