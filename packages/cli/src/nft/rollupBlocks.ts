import type { Vm } from "@vipscore/core";
import {
  absentIf,
  callJsonRpc,
  openJsonRpc,
  openRest,
  parseEndpoint,
  RestError,
  retryRead,
  RpcError,
  type Answer,
} from "@vipscore/core/wire";
import { rollups } from "../rollup/rollups.ts";

/** Maximum size of a block, in bytes. */
const maxBytes = 67_108_864;

/** The fields of a block that are compared. */
export interface RollupBlock {
  readonly height: number;
  /** Unix time of the block, in milliseconds. */
  readonly time: number;
  /** The chain's id; decimal on EVM. */
  readonly chainId: string;
  /** On EVM, in lower-case hex; undefined elsewhere. */
  readonly hash: string | undefined;
}

/** The blocks of a rollup. */
export interface RollupBlocks {
  /** Destination of requests, without credentials; for messages. */
  readonly shown: string;
  /**
   * Returns the block at a height, or the newest one. Undefined if the node does not have it yet, or no longer.
   *
   * @throws NodeError; the signal's reason when aborted.
   */
  readonly read: (height?: number) => Promise<RollupBlock | undefined>;
}

/**
 * Opens the blocks of a rollup at its VM's kind of endpoint.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openRollupBlocks(vm: Vm, url: string, signal: AbortSignal): RollupBlocks {
  const open = { "JSON-RPC": openEvmBlocks, REST: openRestBlocks, RPC: openCometBlocks };
  return open[rollups[vm].endpoint.protocol](url, signal);
}

function openEvmBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const rpc = openJsonRpc(url, { title: "JSON-RPC URL", patienceMs: 3_000, timeoutMs: 15_000 });
  // EVM blocks do not contain it.
  let chainId: string | undefined;
  return {
    shown: rpc.endpoint,
    read: async (height) => {
      const tag = height === undefined ? "latest" : `0x${height.toString(16)}`;
      const block = await rpc.read("eth_getBlockByNumber", [tag, false], readEvmBlock, signal);
      if (block === undefined) return undefined;
      chainId ??= await rpc.read("eth_chainId", [], (answer) => answer.quantity().toString(), signal);
      return { ...block, chainId };
    },
  };
}

function readEvmBlock(block: Answer): Omit<RollupBlock, "chainId"> | undefined {
  if (block.value === null) return undefined;
  return {
    height: Number(block.field("number").quantity()),
    time: Number(block.field("timestamp").quantity()) * 1000,
    hash: block.field("hash").hex().toLowerCase(),
  };
}

function openRestBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const rest = openRest(url);
  return {
    shown: rest.endpoint,
    read: (height) => {
      const path = `/cosmos/base/tendermint/v1beta1/blocks/${height ?? "latest"}`;
      return absentIf(isRefusal, rest.get(path, readCosmosBlock, { signal }));
    },
  };
}

function openCometBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const endpoint = parseEndpoint(url, "RPC URL");
  return {
    shown: endpoint.shown,
    read: (height) => {
      const params = height === undefined ? {} : { height: String(height) };
      // Stop at a refusal: `retryRead` would wait for a height that does not exist yet.
      const ask = (timeoutMs: number): Promise<RollupBlock | undefined> => {
        const call = { method: "block", params, timeoutMs, maxBytes, signal };
        return absentIf(isRefusal, callJsonRpc(endpoint, call, readCosmosBlock));
      };
      return retryRead(ask, { endpoint: endpoint.shown, signal });
    },
  };
}

/** Returns whether a node reported that it does not have a block. */
function isRefusal(error: unknown): boolean {
  return (error instanceof RestError || error instanceof RpcError) && !error.mayPass;
}

function readCosmosBlock(answer: Answer): RollupBlock {
  const header = answer.field("block").field("header");
  return {
    height: Number(header.field("height").u64()),
    time: header.field("time").isoTime().getTime(),
    chainId: header.field("chain_id").text(),
    hash: undefined,
  };
}
