import { JsonRpcFailure, serveJsonRpc, startHardhat, type JsonRpcHandler } from "@vipscore/localnet";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { evmChain } from "../../src/chain/evm/evmChain.ts";
import type { HexAddress, NftBlock, NftChange } from "../../src/chain/nftChain.ts";
import { withUris } from "../withUris.ts";

/** A chain that runs for the tests of one file. */
export interface RunningChain {
  readonly rpcUrl: string;
  stop(): Promise<void>;
}

/** The chains that the reader's tests run on. */
export const chains: readonly { readonly name: string; readonly start: () => Promise<RunningChain> }[] = [
  { name: "Hardhat", start: () => startHardhat() },
  { name: "anvil", start: () => startAnvil() },
  { name: "a node like minievm", start: startLikeMinievm },
];

/** Calls the upstream chain. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Forwards calls to a chain, and returns its answers and refusals. */
export function forwardTo(rpcUrl: string): Request {
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(rpcUrl, { method: "POST", headers, body });
    const { result, error } = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (error !== undefined) throw new JsonRpcFailure(error.code, error.message, error.data);
    return result;
  };
}

/** Serves a Hardhat chain with changed answers. */
export async function startBehind(change: (request: Request) => JsonRpcHandler): Promise<RunningChain> {
  const upstream = await startHardhat();
  const server = await serveJsonRpc(change(forwardTo(upstream.rpcUrl)), 0);
  return {
    rpcUrl: server.url,
    async stop() {
      await server.close();
      await upstream.stop();
    },
  };
}

/**
 * minievm v1.2.18 as recorded (a failed call is answered with -32000 "Reverted" and no data) and as its source has it
 * (jsonrpc/backend/eth.go: calls run on the newest state whatever block is named; jsonrpc/namespaces/eth/filters/api.go: the
 * range of logs is bounded, here to 7 blocks).
 */
function startLikeMinievm(): Promise<RunningChain> {
  return startBehind((request) => async (method, params) => {
    if (method === "eth_call") {
      return request(method, [params[0], "latest"]).catch(() => {
        throw new JsonRpcFailure(-32000, "Reverted");
      });
    }
    if (method === "eth_getLogs") {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
      if (Number(toBlock) - Number(fromBlock) >= 7) throw new JsonRpcFailure(-32000, "block range exceeded 7");
    }
    return request(method, params);
  });
}

/** The changes in a chain's blocks from a height on, as an indexer that starts there reads them in one pass. */
export async function readFrom(rpcUrl: string, height: number): Promise<readonly NftBlock[]> {
  const chain = withUris(evmChain({ jsonRpcUrl: rpcUrl }));
  const { signal } = new AbortController();
  return chain.readBlocks(height, await chain.readHead(signal), { isKnown: () => false, signal });
}

interface CreatedAt {
  readonly address: HexAddress;
  readonly created: { readonly height: number };
}

/** The changes of one collection since its creation, in order. */
export async function changesOf(rpcUrl: string, collection: CreatedAt): Promise<readonly NftChange[]> {
  const blocks = await readFrom(rpcUrl, collection.created.height);
  return blocks
    .flatMap(({ changes }) => changes)
    .filter((change) => {
      if ("collectionAddr" in change) return change.collectionAddr === collection.address;
      return (
        "token" in change && "collectionAddr" in change.token && change.token.collectionAddr === collection.address
      );
    });
}
