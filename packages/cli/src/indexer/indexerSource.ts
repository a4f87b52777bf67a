import { InputError } from "@vipscore/core";
import type { IndexerSource } from "@vipscore/indexer";
import { nodeFileName, type NodeFile } from "@vipscore/localnet/nodeFile";
import type { Io } from "../io.ts";
import type { ConfigFile } from "../settings/configFile.ts";
import { firstSetting } from "../settings/setting.ts";

/** The flags that name the chain to follow. */
export interface SourceFlags {
  readonly rpcUrl?: string;
  readonly rpcNodeUrl?: string;
}

/** The chain to follow and the place that named it. */
export interface FoundSource {
  readonly source: IndexerSource;
  readonly url: string;
  /** As a person knows the place: `--rpc-url`, `RPC_NODE_URL`, a file's name. */
  readonly place: string;
}

/**
 * Which chain is to be followed: flag, then environment, then settings file, then the local node. A Move rollup is followed
 * over its node's RPC, as a CosmWasm one is, and not over the REST endpoint that other commands take.
 *
 * @throws InputError `CONFIG_INVALID` when no place names one, or one place names two.
 */
export function findIndexerSource(
  io: Io,
  flags: SourceFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): FoundSource {
  const places: readonly (readonly [string, string | undefined, string, string | undefined])[] = [
    ["--rpc-url", flags.rpcUrl, "--rpc-node-url", flags.rpcNodeUrl],
    ["JSON_RPC_URL", io.env["JSON_RPC_URL"], "RPC_NODE_URL", io.env["RPC_NODE_URL"]],
    [config.name, config.rpcUrl, config.name, config.rpcNodeUrl],
    [nodeFileName, node?.vm === "evm" ? node.rpcUrl : undefined, nodeFileName, node?.vm === "evm" ? "" : node?.rpcUrl],
  ];
  for (const [jsonRpcPlace, jsonRpc, rpcNodePlace, rpcNode] of places) {
    const ofEvm = firstSetting([jsonRpcPlace, jsonRpc]);
    const ofCosmos = firstSetting([rpcNodePlace, rpcNode]);
    if (ofEvm !== undefined && ofCosmos !== undefined) {
      throw new InputError(`${ofEvm.source} and ${ofCosmos.source} point to two chains; an indexer follows one`, {
        code: "CONFIG_INVALID",
      });
    }
    if (ofEvm !== undefined) return { source: { jsonRpcUrl: ofEvm.value }, url: ofEvm.value, place: ofEvm.source };
    if (ofCosmos !== undefined) {
      return { source: { rpcNodeUrl: ofCosmos.value }, url: ofCosmos.value, place: ofCosmos.source };
    }
  }
  throw new InputError("no chain to follow", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node with an indexer: vipscore node --indexer",
      "Or set an EVM rollup's JSON-RPC endpoint with --rpc-url or JSON_RPC_URL.",
      "Or set a Move or Wasm rollup's RPC endpoint with --rpc-node-url or RPC_NODE_URL.",
    ],
  });
}
