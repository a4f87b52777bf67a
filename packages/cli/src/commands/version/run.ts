import { CheckError } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/core/nodeFile";
import { group } from "@vipscore/core/values";
import type { LocalMinitiad, NodeVersion } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { endpointVariable } from "../../endpoint/environmentEndpoint.ts";
import { ownVersion } from "../../ownVersion.ts";
import { readVersions } from "../../rollup/readVersions.ts";
import { rollups } from "../../rollup/rollups.ts";
import { firstSetting } from "../../settings/setting.ts";

/** The flags of `version`. */
export interface VersionFlags {
  readonly endpoint?: string;
}

/** Shows the versions. Throws `VERSION_MISMATCH` if they differ; an unknown version is not a difference. */
export async function showVersions(context: Context, flags: VersionFlags): Promise<void> {
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
    throw new CheckError(`the rollup runs ${rollup?.version}, the minitiad on PATH is ${minitiad?.version}`, {
      code: "VERSION_MISMATCH",
      metaMessages: [
        `Install minitiad ${rollup?.version}: another version may sign what the rollup does not understand.`,
      ],
    });
  }
  output.json({
    command: "version",
    vipscore,
    rollup:
      rollup === undefined
        ? null
        : { name: rollup.data, version: rollup.version ?? null, height: rollup.lastBlockHeight },
    minitiad: minitiad === undefined ? null : { version: minitiad.version ?? null },
    comparison,
  });
}

async function findRpcUrl({ io }: Context, flags: VersionFlags): Promise<string | undefined> {
  const { RPC_NODE_URL, VIPSCORE_ENDPOINT } = io.env;
  // On EVM and Move the endpoint of the other commands is not the RPC, which may be set separately.
  const named = firstSetting(
    ["--endpoint", flags.endpoint],
    ["RPC_NODE_URL", RPC_NODE_URL],
    [endpointVariable, VIPSCORE_ENDPOINT],
  );
  if (named !== undefined) return named.value;
  const node = await readNodeFile(io.cwd);
  // A local EVM node has only Ethereum's RPC.
  const hasRpc = node !== undefined && rollups[node.vm].blocksProtocol === "RPC";
  return firstSetting([nodeFileName, hasRpc ? node.rpcUrl : undefined])?.value;
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
