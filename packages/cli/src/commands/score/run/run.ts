import { resolve } from "node:path";
import { formatChecksummed, type Stage } from "@vipscore/core";
import { count, formatTime, group, shortDigest } from "@vipscore/core/values";
import type { BlockHead, ManifestAccount, Policy, PolicyResult, ResolvedWindow } from "@vipscore/policy";
import type { Context } from "../../../context.ts";
import { noSigner } from "../../../key/findSigner.ts";
import { optionalPackage } from "../../../optionalPackage.ts";
import { printableText } from "../../../output/printableText.ts";
import { rowJson } from "../../../output/rowJson.ts";
import { ownVersion } from "../../../ownVersion.ts";
import { dataFolder, openPolicySources, runOptions, type PolicyFlags } from "../../../score/policySources.ts";

/** The flags of `score run`. */
export interface RunFlags extends PolicyFlags {
  readonly stage: Stage;
  readonly out: string;
  readonly sign?: boolean;
}

/** Writes the scores of a policy: `score run`. */
export async function writePolicyScores(context: Context, folder: string, flags: RunFlags): Promise<void> {
  const { io, output } = context;
  const { stage, out } = flags;
  const { signal } = io;
  const path = resolve(io.cwd, out);
  // DuckDB's library is large; only this command loads it.
  const { createManifest, manifestName, readPolicy, refuseExistingScores, runPolicy, writeScores } =
    await optionalPackage("@vipscore/policy");
  // Report an existing file before the policy runs for minutes.
  await refuseExistingScores(path, out);
  const signer = flags.sign === true ? await openManifestAccount(context, flags.keystore) : undefined;
  const policy = await readPolicy(resolve(io.cwd, folder), { signal });
  const { sources, chain } = await openPolicySources(context, policy, { stage, folder: dataFolder, flags });
  output.showTransient("running the policy …");
  const result = await runPolicy(policy, sources, runOptions(io, flags));
  const { table } = result;
  const manifest = createManifest(policy, result, { stage, chain, file: out, vipscore: ownVersion() });
  await writeScores(path, out, table, signer === undefined ? manifest : await signer.sign(manifest));
  describe(context, policy, chain?.window, result);
  output.note(
    `scored ${count(table.size, "account")} for stage ${stage} to ${out}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`,
  );
  output.json({
    command: "score run",
    stage,
    policy: { name: policy.name, version: policy.version, chainId: policy.chainId, sha256: policy.digest },
    window: chain === undefined ? null : { first: chain.window.first, last: chain.window.last },
    sources: result.sources.map(({ name, kind, rows, digest }) => ({ name, kind, rows, sha256: digest })),
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
    output.note(`${source.name}  ${source.kind}  ${count(source.rows, "row")}  sha256 ${shortDigest(source.digest)}`);
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
 *
 * @throws InputError `KEY_INVALID`, `FILE_UNREADABLE`, `PACKAGE_MISSING`.
 */
async function openManifestAccount(
  { io, output, scrubber }: Context,
  keystore: string | undefined,
): Promise<ManifestAccount> {
  const { manifestAccount } = await optionalPackage("@vipscore/policy");
  const { readKey } = await import("../../../key/readKey.ts");
  const key = await readKey(io, { vm: "evm", keystore, onLocalNode: false, scrubber });
  if (key === undefined) throw noSigner();
  const account = manifestAccount(key.value.privateKey);
  output.note(output.paintNote("dim", `signer    ${account.address}  (${key.source})`));
  return account;
}
