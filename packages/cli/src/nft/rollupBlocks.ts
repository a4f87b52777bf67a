import { NodeError, type VipError, type Vm } from "@vipscore/core";
import { callJsonRpc, isPassing, openRest, parseEndpoint, RestError, retryRead } from "@vipscore/core/http";
import { openEvmRpc } from "@vipscore/indexer";
import { valueAt } from "../valueAt.ts";

/** How long one answer may take, in milliseconds. */
const timeoutMs = 15_000;

/** Largest block that is read, in bytes. */
const maxBytes = 67_108_864;

/** What is compared of a block. */
export interface RollupBlock {
  readonly height: number;
  /** When the block was made, in milliseconds since 1970. */
  readonly time: number;
  /** The chain's id; decimal on EVM. */
  readonly chainId: string;
  /** On EVM, in lower-case hex; undefined elsewhere. */
  readonly hash: string | undefined;
}

/** The blocks of a rollup. */
export interface RollupBlocks {
  /** Where requests go, without credentials; for messages. */
  readonly shown: string;
  /**
   * The block at a height, or the newest one. Undefined where the node does not have it: not yet, or no longer.
   *
   * @throws NodeError; the signal's reason when aborted.
   */
  readonly read: (height?: number) => Promise<RollupBlock | undefined>;
}

/**
 * Opens the blocks of a rollup at the kind of endpoint that its VM is reached by.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openRollupBlocks(vm: Vm, url: string, signal: AbortSignal): RollupBlocks {
  if (vm === "evm") return openEvmBlocks(url, signal);
  return vm === "move" ? openRestBlocks(url, signal) : openCometBlocks(url, signal);
}

function openEvmBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const rpc = openEvmRpc(url);
  // EVM blocks do not have it.
  let chainId: string | undefined;
  return {
    shown: rpc.endpoint,
    read: async (height) => {
      const tag = height === undefined ? "latest" : `0x${height.toString(16)}`;
      const block = await rpc.request("eth_getBlockByNumber", [tag, false], signal);
      if (block === null) return undefined;
      const hash = valueAt(block, "hash");
      chainId ??= String(Number(await rpc.request("eth_chainId", [], signal)));
      return checkBlock(rpc.endpoint, {
        height: Number(valueAt(block, "number")),
        time: Number(valueAt(block, "timestamp")) * 1000,
        chainId,
        hash: typeof hash === "string" ? hash.toLowerCase() : "",
      });
    },
  };
}

function openRestBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const rest = openRest(url);
  return {
    shown: rest.endpoint,
    read: async (height) => {
      const path = `/cosmos/base/tendermint/v1beta1/blocks/${height ?? "latest"}`;
      return orNone(RestError, async () => cosmosBlock(rest.endpoint, await rest.get(path, { signal })));
    },
  };
}

function openCometBlocks(url: string, signal: AbortSignal): RollupBlocks {
  const endpoint = parseEndpoint(url, "RPC URL");
  const params = (height: number | undefined) => (height === undefined ? {} : { height: String(height) });
  const refuse = ({ message = "no message" }: { readonly message: string | undefined }): Error =>
    new Refusal(`${endpoint.shown} refused block: ${message.slice(0, 500)}`, { code: "NODE_ERROR", details: message });
  return {
    shown: endpoint.shown,
    read: (height) =>
      orNone(Refusal, async () => {
        const call = { method: "block", params: params(height), timeoutMs, maxBytes, signal, refuse };
        const ask = () => callJsonRpc(endpoint, call);
        return cosmosBlock(endpoint.shown, await retryRead(ask, { endpoint: endpoint.shown, isPassing, signal }));
      }),
  };
}

/** A CometBFT node's answer that it does not have a block. */
class Refusal extends NodeError {}

/** The block; undefined where the node refuses, as it does for a height that it does not have. */
async function orNone(
  refusal: new (...parameters: never[]) => VipError,
  read: () => Promise<RollupBlock>,
): Promise<RollupBlock | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}

function cosmosBlock(endpoint: string, answer: unknown): RollupBlock {
  const chainId = valueAt(answer, "block", "header", "chain_id");
  return checkBlock(endpoint, {
    height: Number(valueAt(answer, "block", "header", "height")),
    time: Date.parse(String(valueAt(answer, "block", "header", "time"))),
    chainId: typeof chainId === "string" ? chainId : "",
    hash: undefined,
  });
}

function checkBlock(endpoint: string, block: RollupBlock): RollupBlock {
  const { height, time, chainId, hash } = block;
  if (Number.isSafeInteger(height) && Number.isFinite(time) && !/^(NaN)?$/.test(chainId) && hash !== "") return block;
  throw new NodeError(`${endpoint} answered with something that is not a block; is it the rollup's endpoint?`, {
    code: "NODE_BAD_RESPONSE",
  });
}
