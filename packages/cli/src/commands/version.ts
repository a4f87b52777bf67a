import type { Command } from "commander";
import { VipError } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { group } from "@vipscore/core/values";
import {
  compareVersions,
  readLocalMinitiadVersion,
  readNodeVersion,
  type LocalMinitiad,
  type NodeVersion,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { ownVersion } from "../optionalPackage.ts";
import { withOutputOptions } from "../options.ts";
import { rollups } from "../rollup/rollups.ts";
import { endpointVariable } from "../settings/readSettings.ts";
import { findSetting } from "../settings/settings.ts";

export function addVersion(command: Command, context: Context): void {
  withOutputOptions(command)
    .option("--endpoint <url>", "CometBFT RPC endpoint of the rollup, on any VM (env RPC_NODE_URL, VIPSCORE_ENDPOINT)")
    .addHelpText("after", "\nExample:\n  $ vipscore version --endpoint https://rpc.example.org")
    .action((flags: VersionFlags) => showVersions(context, flags));
}

interface VersionFlags {
  readonly endpoint?: string;
}

/** Shows the versions. Throws `VERSION_MISMATCH` if they differ; an unknown version is not a difference. */
async function showVersions(context: Context, flags: VersionFlags): Promise<void> {
  const { output } = context;
  const vipscore = ownVersion();
  const { node: rollup, minitiad, comparison } = await readVersions(context, await findRpcUrl(context, flags));
  output.print(
    [
      `vipscore   ${vipscore}`,
      `rollup     ${rollupText(rollup)}`,
      `minitiad   ${minitiadText(minitiad)}${comparison === "equal" ? ", same as the rollup" : ""}`,
    ].join("\n"),
  );
  if (comparison === "different") {
    throw new VipError(`the rollup runs ${rollup?.version}, the minitiad on PATH is ${minitiad?.version}`, {
      code: "VERSION_MISMATCH",
      metaMessages: [
        `Install minitiad ${rollup?.version}: another version may sign what the rollup does not understand.`,
      ],
    });
  }
  output.json({
    command: "version",
    vipscore,
    rollup: rollup && { name: rollup.data, version: rollup.version, height: rollup.lastBlockHeight },
    minitiad: minitiad && { version: minitiad.version },
    comparison,
  });
}

async function findRpcUrl({ io }: Context, flags: VersionFlags): Promise<string | undefined> {
  // `--endpoint` of this command is the RPC on any VM.
  const places = { flags: { rpcUrl: flags.endpoint }, env: io.env };
  const named = findSetting("rpcUrl", places, [endpointVariable, io.env[endpointVariable]]);
  if (named !== undefined) return named.value;
  const node = await readNodeFile(io.cwd);
  // A local EVM node has only Ethereum's RPC.
  return node !== undefined && rollups[node.vm].protocols[0] === "RPC" ? node.rpcUrl : undefined;
}

function rollupText(rollup: NodeVersion | undefined): string {
  if (rollup === undefined) return "unknown; set its RPC endpoint with --endpoint or RPC_NODE_URL";
  const { data, version, lastBlockHeight } = rollup;
  const name = data === "" ? "" : `${data} `;
  return `${name}${version ?? "without a version"}, height ${group(lastBlockHeight)}`;
}

function minitiadText(minitiad: LocalMinitiad | undefined): string {
  if (minitiad === undefined) return "not on PATH";
  return minitiad.version ?? "on PATH, version unknown";
}

/** Reads the versions of the rollup's node, at its CometBFT RPC endpoint, and of the `minitiad` on PATH. */
export async function readVersions({ io, scrubber }: Context, rpcUrl: string | undefined) {
  if (rpcUrl !== undefined) scrubber.addUrl(rpcUrl);
  const [node, minitiad] = await Promise.all([
    rpcUrl === undefined ? undefined : readNodeVersion({ rpcUrl, signal: io.signal }),
    readLocalMinitiadVersion(nodeEnvironment(io.env)),
  ]);
  // A development node is not minitiad, so its version cannot be compared.
  const comparable = node?.data.startsWith("vipnode-") === true ? undefined : node?.version;
  return { node, minitiad, comparison: compareVersions(comparable, minitiad?.version) };
}
