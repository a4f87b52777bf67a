import { parse } from "smol-toml";
import { unendedLine, type Account, type SignalOptions } from "@vipscore/core";
import { Field, list, matching, object, optional, text, withSchema, type ReadField } from "@vipscore/core/field";
import { policyDigest, type FileDigest } from "@vipscore/core/manifest";
import { parseTime } from "@vipscore/core/values";
import type { BlockRange } from "../chain/chainSource.ts";
import type { PolicyWindow, TimeRange } from "../chain/policyChain.ts";
import { assetName, type Policy } from "../policy.ts";
import { policyInvalid } from "../policyError.ts";
import { readAccounts } from "../sources/readCsv.ts";
import type { SourceDefinition } from "../sources/sourceDefinition.ts";
import { blockHeight, integer, oneOrMore, tableOf } from "../sources/sourceFields.ts";
import { readSource, sourceSchema } from "../sources/sourceKinds.ts";
import { digestFile, findPolicyFile, findPolicyFolder, readText, type HashedFile } from "./policyFile.ts";

const pairOf = (items: object): object => ({ type: "array", minItems: 2, maxItems: 2, items });
const readBlocksWindow = object({ blocks: withSchema(pairOf({ ...blockHeight.schema }), readBlockRange) });
const readTimesWindow = object({ times: withSchema(pairOf({ type: "string" }), readTimes) });
const asset: ReadField<string> = withSchema({ type: "string" }, readAsset);
const timeExample = "a time in UTC, such as 2026-11-01T00:00:00Z";

const readSettings = object({
  name: text,
  version: text,
  exclude: optional(text),
  max_share_percent: optional(integer({ minimum: 1, maximum: 100 }, "1 to 100")),
  plain_assets: optional(list(asset)),
  productive_assets: optional(withSchema(tableOf(text), readProductive)),
  pools: optional(list(asset)),
  rollup: object({ chain_id: text }),
  window: optional(withSchema({ anyOf: [readBlocksWindow.schema, readTimesWindow.schema] }, readWindow)),
  /** Read when the files are at hand that they name. */
  source: oneOrMore(withSchema(sourceSchema, (field) => field)),
});

/** Returns the JSON Schema of `policy.toml`, for editors. It takes all that {@link readPolicy} takes. */
export function policySchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A scoring policy: policy.toml",
    ...readSettings.schema,
  };
}

/**
 * Reads a policy from its folder: `policy.toml`, `policy.sql`, and the files that `policy.toml` names. Reference files
 * are only hashed.
 *
 * @throws InputError `POLICY_INVALID` with file and field; `FILE_UNREADABLE`; `INPUT_INVALID` for rows of the exclusions.
 * @example
 * const policy = await readPolicy("policies/season1");
 */
export async function readPolicy(folder: string, options: SignalOptions = {}): Promise<Policy> {
  const root = await findPolicyFolder(folder);
  const files = new Map<string, FileDigest>();
  const warnings: string[] = [];
  const addFile = async (name: string, place: string): Promise<HashedFile> => {
    const file = await findPolicyFile(root, name, place);
    const { unended, ...digest } = await digestFile(file, options);
    files.set(file.name, digest);
    if (/\.csv$/i.test(name) && unended !== "") warnings.push(unendedLine(name, unended));
    return { ...file, sha256: digest.sha256 };
  };
  const settings = readSettings(parseToml(await readText(await addFile("policy.toml", "policy.toml"), options)));
  const sql = await readText(await addFile("policy.sql", "policy.sql"), options);
  const [plainAssets, productiveAssets] = [new Set(settings.plain_assets), new Map(settings.productive_assets)];
  for (const name of plainAssets) {
    if (productiveAssets.has(name))
      throw policyInvalid(`policy.toml: plain_assets`, `has ${name}, which productive_assets has too`);
  }
  const sources: SourceDefinition[] = [];
  for (const source of settings.source) {
    const definition = await readSource(source, addFile);
    const first = sources.findIndex(({ name }) => name === definition.name);
    if (first >= 0) source.at("name").fail(`is "${definition.name}", like source[${first + 1}]`);
    sources.push(definition);
  }
  const excluded =
    settings.exclude === undefined
      ? new Set<Account>()
      : new Set(await readAccounts(await addFile(settings.exclude, "policy.toml: exclude"), options));
  const { max_share_percent: share } = settings;
  return {
    folder: root,
    name: settings.name,
    version: settings.version,
    chainId: settings.rollup.chain_id,
    window: settings.window,
    sources,
    sql,
    excluded,
    files,
    plainAssets,
    productiveAssets,
    pools: settings.pools && new Set(settings.pools),
    maxSharePercent: share === undefined ? undefined : BigInt(share),
    digest: policyDigest(files),
    warnings,
  };
}

function parseToml(content: string): Field {
  try {
    // As bigints, heights stay exact.
    return new Field(parse(content, { integersAsBigInt: true }), "policy.toml", policyInvalid);
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause);
    throw policyInvalid("policy.toml", "is not TOML", { details, cause });
  }
}

function readAsset(field: Field, written = text(field)): string {
  const name = assetName(written);
  const isWrong = name === written && /^0x.*[A-F]|^init1/.test(written);
  return isWrong ? field.fail(`has ${written}, an address that fails its checksum`) : name;
}

function readProductive(field: Field): readonly (readonly [asset: string, use: string])[] {
  return field.names.map((name) => [readAsset(field.at(name), name), text(field.at(name))]);
}

function readWindow(field: Field): PolicyWindow {
  return field.names.includes("times") ? readTimesWindow(field) : readBlocksWindow(field);
}

function readBlockRange(field: Field): BlockRange {
  const [first, last, ...more] = list(blockHeight)(field);
  if (first !== undefined && last !== undefined && first <= last && more.length === 0) return { first, last };
  return field.fail("is not a first height and a last one not below it, as in [100, 200]");
}

function readTimes(field: Field): TimeRange {
  const [start, end, ...more] = list(readTime)(field);
  if (start !== undefined && end !== undefined && start < end && more.length === 0) return { start, end };
  return field.fail(`is not a start and a later end in UTC, as in ["2026-11-01T00:00:00Z", "2026-11-15T00:00:00Z"]`);
}

/** Reads Unix time in seconds. */
function readTime(field: Field): number {
  const written = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, timeExample)(field);
  const time = parseTime(written) ?? field.fail(`is ${written}, a day or an hour that does not exist`);
  return time.getTime() / 1000;
}
