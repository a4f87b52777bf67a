import { parse } from "smol-toml";
import type { Account, SignalOptions } from "@vipscore/core";
import { policyDigest, type FileDigest } from "@vipscore/manifest";
import type { PolicyWindow } from "../chain/resolveWindow.ts";
import type { Policy } from "../policy.ts";
import { policyInvalid } from "../policyError.ts";
import { readAccounts } from "../sources/readAccounts.ts";
import type { SourceDefinition } from "../sources/sourceDefinition.ts";
import { readSource } from "../sources/sourceKinds.ts";
import { digestFile, findPolicyFile, findPolicyFolder, readText, type HashedFile } from "./policyFile.ts";
import { TomlTable } from "./tomlTable.ts";

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
  const addFile = async (name: string, place: string): Promise<HashedFile> => {
    const file = await findPolicyFile(root, name, place);
    const digest = await digestFile(file, options);
    files.set(file.name, digest);
    return { ...file, sha256: digest.sha256 };
  };
  const settings = parseToml(await readText(await addFile("policy.toml", "policy.toml"), options));
  const sql = await readText(await addFile("policy.sql", "policy.sql"), options);
  const name = settings.text("name");
  const version = settings.text("version");
  const exclude = settings.optionalText("exclude");
  const maxSharePercent = readShare(settings);
  const rollup = settings.table("rollup");
  const chainId = rollup.text("chain_id");
  rollup.refuseOthers();
  const window = readWindow(settings.optionalTable("window"));
  const tables = settings.tables("source");
  settings.refuseOthers();
  const sources: SourceDefinition[] = [];
  for (const table of tables) sources.push(await readSource(table, addFile));
  requireDistinct(sources);
  const excluded =
    exclude === undefined
      ? new Set<Account>()
      : new Set(await readAccounts(await addFile(exclude, "policy.toml: exclude"), options));
  return {
    folder: root,
    name,
    version,
    chainId,
    window,
    sources,
    sql,
    excluded,
    files,
    maxSharePercent,
    digest: policyDigest(files),
  };
}

function parseToml(text: string): TomlTable {
  try {
    // As bigints, heights stay exact.
    return new TomlTable(parse(text, { integersAsBigInt: true }));
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause);
    throw policyInvalid("policy.toml", "is not TOML", { details, cause });
  }
}

function readShare(settings: TomlTable): bigint | undefined {
  const share = settings.optionalInteger("max_share_percent");
  if (share === undefined || (share > 0n && share <= 100n)) return share;
  throw policyInvalid(settings.place("max_share_percent"), `is ${share}; give 1 to 100`);
}

function readWindow(table: TomlTable | undefined): PolicyWindow | undefined {
  if (table === undefined) return undefined;
  const window = table.names.includes("times") ? readTimes(table) : readBlocks(table);
  table.refuseOthers();
  return window;
}

function readBlocks(table: TomlTable): PolicyWindow {
  const [first, last] = table.integerPair("blocks");
  if (first < 1n || last < first || last > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw policyInvalid(
      table.place("blocks"),
      `is [${first}, ${last}]; give a first height from 1 and a last one not below it`,
    );
  }
  return { blocks: { first: Number(first), last: Number(last) } };
}

function readTimes(table: TomlTable): PolicyWindow {
  const [start, end, ...more] = table.texts("times").map(readTime);
  if (start !== undefined && end !== undefined && start < end && more.length === 0) return { times: { start, end } };
  throw policyInvalid(
    table.place("times"),
    'is not a start and a later end in UTC, as in ["2026-11-01T00:00:00Z", "2026-11-15T00:00:00Z"]',
  );
}

/** Returns Unix time in seconds; undefined for any other text. */
function readTime(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}

function requireDistinct(sources: readonly SourceDefinition[]): void {
  for (const [index, { name }] of sources.entries()) {
    const first = sources.findIndex((source) => source.name === name);
    if (first === index) continue;
    throw policyInvalid(`policy.toml: source[${index + 1}].name`, `is "${name}", like source[${first + 1}]`);
  }
}
