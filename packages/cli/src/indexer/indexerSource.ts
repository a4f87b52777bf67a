import { InputError, type Vm } from "@vipscore/core";
import { nodeFileName, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { IndexerSource } from "@vipscore/indexer";
import type { Context } from "../context.ts";
import { askVm } from "../endpoint/askVm.ts";
import { environmentEndpoint, type NamedEndpoint } from "../endpoint/environmentEndpoint.ts";
import type { Io } from "../io/io.ts";
import { rollups, servesBlocks } from "../rollup/rollups.ts";
import { checkVm } from "../settings/checkVm.ts";
import type { ConfigFile } from "../settings/configFile.ts";
import { firstSetting } from "../settings/setting.ts";

/** The flag that names the chain to follow. */
export interface SourceFlags {
  readonly endpoint?: string;
  readonly vm?: string;
}

/**
 * Returns the endpoint of the chain to follow: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID` if no setting names one, or the environment names two; for an unknown VM.
 */
export function findIndexedEndpoint(
  io: Io,
  flags: SourceFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): NamedEndpoint {
  const ofFlag = firstSetting(["--endpoint", flags.endpoint]);
  const vm = flags.vm === undefined ? undefined : checkVm({ value: flags.vm, source: "--vm" });
  const isFollowed = (each: Vm): boolean =>
    vm === undefined || rollups[each].blocksProtocol === rollups[vm].blocksProtocol;
  // Other commands use a Move rollup's REST endpoint, which the indexer cannot follow.
  const ofVms = vms.filter((each) => servesBlocks(each) && isFollowed(each));
  const ofEnvironment = ofFlag === undefined ? environmentEndpoint(io.env, ofVms) : undefined;
  const found = ofFlag ?? ofEnvironment ?? firstSetting([config.name, config.endpoint]);
  if (found !== undefined) return { ...found, vm: vm ?? ofEnvironment?.vm };
  if (node !== undefined) return { value: node.rpcUrl, source: nodeFileName, vm: vm ?? node.vm };
  throw new InputError("no chain to follow", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node with an indexer: vipscore node --indexer",
      "Or set the rollup's endpoint (JSON-RPC on EVM, RPC on Move and Wasm) with --endpoint or VIPSCORE_ENDPOINT.",
    ],
  });
}

/**
 * Returns the source for the indexer. Asks the endpoint for its VM if no setting names it.
 *
 * @throws InputError `CONFIG_INVALID` for an endpoint of another kind; NodeError; the signal's reason when aborted.
 */
export async function indexerSource(context: Context, endpoint: NamedEndpoint): Promise<IndexerSource> {
  const vm = endpoint.vm ?? (await askVm(context, endpoint, (each) => rollups[each].blocksProtocol));
  return sourceAt(endpoint.value, vm);
}

/** Returns the source for the indexer at the endpoint from which blocks of the VM are read. */
export function sourceAt(url: string, vm: Vm): IndexerSource {
  return rollups[vm].blocksProtocol === "RPC" ? { rpcNodeUrl: url } : { jsonRpcUrl: url };
}
