import type { Vm } from "../contractIdentity.ts";
import { InputError } from "../errors/inputError.ts";
import { stage, type Stage } from "../stage.ts";
import { JsonFields } from "./jsonFields.ts";
import { policyDigest } from "./policyDigest.ts";
import {
  manifestFormat,
  type ManifestBlock,
  type ManifestChain,
  type ManifestFile,
  type ManifestPolicy,
  type ManifestScores,
  type ManifestSignature,
  type ManifestSource,
  type ManifestWindow,
  type ScoresManifest,
} from "./scoresManifest.ts";

const vms: readonly Vm[] = ["evm", "move", "wasm"];

/** The last time that a JavaScript date can have, in seconds. */
const latestTime = 8_640_000_000_000;

/**
 * Parses the text of a manifest. Every field must be there, with a value that it can have, and no other field.
 *
 * @param file The file's name, for messages.
 * @throws InputError `INPUT_INVALID` with the field.
 */
export function parseManifest(text: string, file: string): ScoresManifest {
  const fields = new JsonFields(parse(text, file), file);
  if (fields.text("format") !== manifestFormat) {
    throw fields.invalid("format", `is not "${manifestFormat}", which this version of vipscore writes and reads`);
  }
  const manifest: ScoresManifest = {
    stage: readStage(fields),
    policy: readPolicy(fields.object("policy")),
    rollup: readRollup(fields.object("rollup")),
    window: fields.nullable("window", () => readWindow(fields.object("window"))),
    sources: fields.objects("sources").map(readSource),
    versions: readVersions(fields.object("versions")),
    scores: readScores(fields.object("scores")),
    excluded: fields.count("excluded"),
    chain: fields.has("chain") ? readChain(fields.object("chain")) : undefined,
    signature: fields.has("signature") ? readSignature(fields.object("signature")) : undefined,
  };
  fields.refuseOthers();
  return manifest;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`${file} is not JSON`, {
      metaMessages: ["`vipscore score run` writes a manifest beside its CSV, such as scores12.manifest.json."],
      cause,
    });
  }
}

function readStage(fields: JsonFields): Stage {
  const value = fields.u64("stage");
  if (value === 0n) throw fields.invalid("stage", "is 0; stages count from 1");
  return stage(value);
}

function readPolicy(fields: JsonFields): ManifestPolicy {
  const files = fields.objects("files").map(readFile);
  const policy = { name: fields.text("name"), version: fields.text("version"), sha256: fields.sha256("sha256"), files };
  const byName = new Map(files.map((file) => [file.name, file]));
  if (byName.size < files.length) throw fields.invalid("files", "names a file twice");
  if (policyDigest(byName) !== policy.sha256) throw fields.invalid("sha256", "is not the digest of policy.files");
  fields.refuseOthers();
  return policy;
}

function readFile(fields: JsonFields): ManifestFile {
  const file = { name: fields.text("name"), bytes: fields.count("bytes"), sha256: fields.sha256("sha256") };
  fields.refuseOthers();
  return file;
}

function readRollup(fields: JsonFields): ScoresManifest["rollup"] {
  const rollup = { vm: fields.nullable("vm", () => fields.oneOf("vm", vms)), chainId: fields.text("chainId") };
  fields.refuseOthers();
  return rollup;
}

function readWindow(fields: JsonFields): ManifestWindow {
  const window = {
    first: readBlock(fields.object("first")),
    last: readBlock(fields.object("last")),
    from: fields.oneOf("from", ["policy", "l1"]),
  };
  if (window.last.height < window.first.height) throw fields.invalid("last", "is below first");
  fields.refuseOthers();
  return window;
}

function readBlock(fields: JsonFields): ManifestBlock {
  const block = { height: fields.count("height"), hash: fields.text("hash"), time: fields.count("time") };
  if (block.time > latestTime) throw fields.invalid("time", "is beyond the year 275760");
  fields.refuseOthers();
  return block;
}

function readSource(fields: JsonFields): ManifestSource {
  const source = {
    name: fields.text("name"),
    kind: fields.text("kind"),
    rows: fields.count("rows"),
    sha256: fields.sha256("sha256"),
  };
  fields.refuseOthers();
  return source;
}

function readVersions(fields: JsonFields): ScoresManifest["versions"] {
  const versions = { vipscore: fields.text("vipscore"), duckdb: fields.text("duckdb") };
  fields.refuseOthers();
  return versions;
}

function readScores(fields: JsonFields): ManifestScores {
  const scores = {
    file: fields.text("file"),
    accounts: fields.count("accounts"),
    total: fields.u64("total"),
    sha256: fields.sha256("sha256"),
  };
  // A manifest from a stranger must not name a file elsewhere.
  if (/[/\\]/.test(scores.file) || scores.file === "." || scores.file === "..") {
    throw fields.invalid("file", "is not the name of a file beside the manifest");
  }
  fields.refuseOthers();
  return scores;
}

function readChain(fields: JsonFields): ManifestChain {
  const contract = fields.object("contract");
  const identity = {
    vm: contract.oneOf("vm", vms),
    chainId: contract.text("chainId"),
    address: contract.text("address"),
  };
  contract.refuseOthers();
  const chain = {
    contract: identity,
    transactions: fields.texts("transactions"),
    finalization: fields.has("finalization")
      ? (fields.nullable("finalization", () => fields.text("finalization")) ?? null)
      : undefined,
    snapshot:
      fields.has("root") || fields.has("bridgeId")
        ? {
            root: fields.nullable("root", () => fields.sha256("root")) ?? null,
            bridgeId: fields.u64("bridgeId"),
          }
        : undefined,
  };
  fields.refuseOthers();
  return chain;
}

function readSignature(fields: JsonFields): ManifestSignature {
  const signature = { signer: fields.hex("signer", 20), eip191: fields.hex("eip191", 65) };
  fields.refuseOthers();
  return signature;
}
