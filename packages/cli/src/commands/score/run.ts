import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Option, type Command } from "commander";
import {
  fileUnwritable,
  formatChecksummed,
  InputError,
  parseAccount,
  refuseExisting,
  type Stage,
  type Vm,
} from "@vipscore/core";
import { count, formatTime, group, shortDigest, vms } from "@vipscore/core/values";
import type {
  BlockHead,
  CollectedSource,
  ManifestAccount,
  Policy,
  PolicyExample,
  PolicyResult,
  ResolvedWindow,
} from "@vipscore/policy";
import type { Context } from "../../context.ts";
import { noSigner } from "../../key/findSigner.ts";
import { readKey } from "../../key/readKey.ts";
import { optionalPackage, ownVersion } from "../../optionalPackage.ts";
import { keystoreOption, stageOption, withOutputOptions, withPackage, withPolicyOptions } from "../../options.ts";
import { rowJson } from "../../output/plan.ts";
import { printableText, shellWord } from "../../output/printable.ts";
import { addScoreCheck, addScoreData } from "./check.ts";
import { addScoreCompare } from "./compare.ts";
import { openPolicy, runOptions, type PolicyFlags } from "./sources.ts";

export function addScore(score: Command, context: Context): void {
  addScoreNew(score, context);
  addScoreRun(score, context);
  addScoreCheck(score, context);
  addScoreCompare(score, context);
  addScoreData(score, context);
}

/** The names of the example policies; the package that has them is large, and only loaded to write one. */
const examples: readonly PolicyExample[] = ["nft-holders", "game", "lending", "volume"];

function addScoreNew(score: Command, context: Context): void {
  withPackage(withOutputOptions(score.command("new")), "@vipscore/policy")
    .argument("<folder>", "the new folder of the policy")
    .description("start a policy from an example: NFT holders over time, a game, lending, or volume with a cap")
    .addOption(new Option("--example <name>", "the policy to start from").choices(examples).makeOptionMandatory())
    .addOption(new Option("--vm <vm>", "the rollup's VM").choices(vms).makeOptionMandatory())
    .requiredOption("--chain-id <id>", "the rollup's chain ID; on EVM the number that eth_chainId answers")
    .requiredOption("--contract <address>", "the contract that emits the events, or the NFT collection")
    .addHelpText(
      "after",
      "\nExample:\n  $ vipscore score new policies/season1 --example volume --vm evm --chain-id 1234 --contract 0x1d8e31d5071bb4072fffc05b792685dcc5085bde",
    )
    .action((folder: string, flags: NewFlags) => writeExample(context, folder, flags));
}

interface NewFlags {
  readonly example: PolicyExample;
  readonly vm: Vm;
  readonly chainId: string;
  readonly contract: string;
}

async function writeExample({ io, output }: Context, folder: string, flags: NewFlags): Promise<void> {
  for (const [name, text] of [
    ["--chain-id", flags.chainId],
    ["--contract", flags.contract],
  ] as const) {
    // They become part of a TOML text.
    if (!/^[\w:.-]{1,200}$/.test(text))
      throw new InputError(`${name} "${text}" has characters that no ${name.slice(2)} has`);
  }
  // Addresses of Move may be short.
  if (/^(?:0x[0-9a-f]{40}|init1.*)$/i.test(flags.contract)) parseAccount(flags.contract, { accountBytes: [20, 32] });
  const path = resolve(io.cwd, folder);
  await refuseExisting(path, folder);
  const { exampleFiles } = await optionalPackage("@vipscore/policy");
  const files = await exampleFiles(flags);
  await writeNewFolder(path, folder, files);
  output.print(`policy    ${folder}: ${[...files.keys()].join(", ")}`);
  output.print("Adapt the events and the query, list your team's accounts in exclude.csv, then:");
  output.print(`  $ vipscore score check ${shellWord(folder)} --stage 1`);
  output.json({ command: "score new", folder, example: flags.example, vm: flags.vm, files: [...files.keys()] });
}

/** Writes a new folder with all its files, or nothing. */
async function writeNewFolder(path: string, name: string, files: ReadonlyMap<string, string>): Promise<void> {
  let aside: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    aside = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
    await mkdir(aside);
    for (const [file, text] of files) await writeFile(join(aside, file), text);
    await rename(aside, path);
  } catch (error) {
    if (aside !== undefined) await rm(aside, { recursive: true, force: true });
    throw fileUnwritable(name, error);
  }
}

function addScoreRun(score: Command, context: Context): void {
  withPolicyOptions(score.command("run"))
    .addOption(keystoreOption())
    .argument("<folder>", "the policy's folder, with policy.toml and policy.sql")
    .description("write a CSV for `push` from a scoring policy: sources and one SQL query")
    .addOption(stageOption())
    .requiredOption("--out <file>", "new file for the scores")
    .option("--sign", "sign the manifest with the key of PRIVATE_KEY, MNEMONIC or --keystore, as an Ethereum message")
    .addHelpText(
      "after",
      "\nThe query runs over the rows in two orders, or three if an ORDER BY decides, once without DuckDB's optimizer, and all runs must give the same scores.\n\nExample:\n  $ vipscore score run policies/season1 --stage 12 --out scores12.csv",
    )
    .action((folder: string, flags: RunFlags) => writePolicyScores(context, folder, flags));
}

interface RunFlags extends PolicyFlags {
  readonly stage: Stage;
  readonly out: string;
  readonly sign?: boolean;
}

async function writePolicyScores(context: Context, folder: string, flags: RunFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const path = resolve(io.cwd, out);
  // DuckDB's library is large; only this command loads it.
  const { createManifest, manifestName, refuseExistingScores, rowsText, runPolicy, writeScores } =
    await optionalPackage("@vipscore/policy");
  // Report an existing file before the policy runs for minutes.
  await refuseExistingScores(path, out);
  const signer = flags.sign === true ? await openManifestAccount(context, flags.keystore) : undefined;
  const { policy, sources, chain, policyJson } = await openPolicy(context, folder, flags);
  output.showTransient("running the policy …");
  const result = await runPolicy(policy, sources, runOptions(io, flags));
  const { table } = result;
  const manifest = createManifest(policy, result, { stage, chain, file: out, vipscore: ownVersion() });
  await writeScores(path, out, table, signer === undefined ? manifest : await signer.sign(manifest));
  describe(context, policy, chain?.window, result, rowsText);
  output.note(
    `scored ${count(table.size, "account")} for stage ${stage} to ${out}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`,
  );
  output.json({
    command: "score run",
    stage,
    policy: policyJson,
    window: chain === undefined ? null : { first: chain.window.first, last: chain.window.last },
    sources: result.sources.map(({ digest, assumed: _assumed, ...source }) => ({ ...source, sha256: digest })),
    duckdb: result.duckdb,
    accounts: table.size,
    total: table.total,
    sha256: table.digest(),
    excluded: { accounts: policy.excluded.size, scored: result.excluded.map(rowJson) },
    file: out,
    manifest: manifestName(out),
    signer: signer?.address ?? null,
  });
}

function describe(
  { output }: Context,
  policy: Policy,
  window: ResolvedWindow | undefined,
  { sources, excluded, duckdb }: PolicyResult,
  rowsText: (source: CollectedSource) => string,
): void {
  const { name, version, chainId, digest } = policy;
  output.note(
    `policy    "${printableText(name)}" ${printableText(version)}  chain ${printableText(chainId)}  sha256 ${shortDigest(digest)}  DuckDB ${duckdb}`,
  );
  if (window !== undefined) {
    const { first, last } = window;
    output.note(
      `window    blocks ${group(first.height)} to ${group(last.height)}, ${formatTime(timeOf(first))} to ${formatTime(timeOf(last))}`,
    );
  }
  for (const source of sources) {
    output.note(`${source.name}  ${source.kind}  ${rowsText(source)}  sha256 ${shortDigest(source.digest)}`);
  }
  if (policy.excluded.size === 0) return;
  output.note(
    `excluded  ${count(policy.excluded.size, "account")}, of which the query scores ${group(excluded.length)}`,
  );
  for (const { account, score } of excluded) output.note(`  ${formatChecksummed(account)}  ${group(score)}`);
}

function timeOf({ time }: BlockHead): Date {
  return new Date(time * 1000);
}

/**
 * Opens the key that signs manifests, from the keystore file or the environment. A mnemonic's key is that of Ethereum wallets.
 */
async function openManifestAccount(
  { io, output, scrubber }: Context,
  keystore: string | undefined,
): Promise<ManifestAccount> {
  const { manifestAccount } = await optionalPackage("@vipscore/policy");
  const key = await readKey(io, { vm: "evm", keystore, onLocalNode: false, scrubber });
  if (key === undefined) throw noSigner();
  const account = manifestAccount(key.value.privateKey);
  output.note(output.paintNote("dim", `signer    ${account.address}  (${key.source})`));
  return account;
}
