import { InputError, type Vm } from "@vipscore/core";
import { nodeFileName, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { IndexerSource } from "@vipscore/indexer";
import { environmentEndpoint, type NamedEndpoint } from "../endpoint/environmentEndpoint.ts";
import { identifyEndpoint } from "../endpoint/identifyEndpoint.ts";
import { requireKind } from "../endpoint/requireKind.ts";
import type { Io } from "../io/io.ts";
import { rollups, servesBlocks, type Protocol } from "../rollup/rollups.ts";
import type { ConfigFile } from "../settings/configFile.ts";
import { firstSetting } from "../settings/setting.ts";

/** The flag that names the chain to follow. */
export interface SourceFlags {
  readonly endpoint?: string;
}

/**
 * Returns the endpoint of the chain to follow: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID` if no setting names one, or the environment names two.
 */
export function findIndexedEndpoint(
  io: Io,
  flags: SourceFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): NamedEndpoint {
  const ofFlag = firstSetting(["--endpoint", flags.endpoint]);
  // Other commands use a Move rollup's REST endpoint, which the indexer cannot follow.
  const ofVms = vms.filter(servesBlocks);
  const found = ofFlag ?? environmentEndpoint(io.env, ofVms) ?? firstSetting([config.name, config.endpoint]);
  if (found !== undefined) return { vm: undefined, ...found };
  if (node !== undefined) return { value: node.rpcUrl, source: nodeFileName, vm: node.vm };
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
export async function indexerSource(endpoint: NamedEndpoint, { signal }: Io): Promise<IndexerSource> {
  const { value: url } = endpoint;
  const followed = (vm: Vm): Protocol => rollups[vm].blocksProtocol;
  return sourceAt(url, endpoint.vm ?? requireKind(endpoint, await identifyEndpoint(url, { signal }), followed));
}

/** Returns the source for the indexer at the endpoint from which blocks of the VM are read. */
export function sourceAt(url: string, vm: Vm): IndexerSource {
  return rollups[vm].blocksProtocol === "RPC" ? { rpcNodeUrl: url } : { jsonRpcUrl: url };
}
