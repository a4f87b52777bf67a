import { JsonRpcFailure, serveJsonRpc, startHardhat, type JsonRpcServer, type LocalNode } from "@vipscore/localnet";
import { keccak256, parseTransaction, recoverTransactionAddress, type Hex, type TransactionSerialized } from "viem";
import { asBlock, asLogs, asReceipt, asTransaction, type JsonObject } from "./minievmShapes.ts";

type Params = readonly unknown[];
type Call = (method: string, params: Params) => Promise<unknown>;

/** A Hardhat chain that looks like a minievm rollup from outside. */
export interface MinievmDouble extends AsyncDisposable {
  readonly rpcUrl: string;
  /** The chain id in decimal. */
  readonly chainId: string;
  /** The Hardhat chain behind it, for what minievm does not offer: mining, time, state. */
  readonly upstream: LocalNode;
  stop(): Promise<void>;
}

/** The most gas that minievm spends on an estimate. */
const queryGas = 10_000_000n;

/**
 * Starts a chain of Hardhat without gas prices, a block every `blockTimeMs` (100 by default), behind
 * {@link startMinievmProxy}.
 */
export async function startMinievm(options: { readonly blockTimeMs?: number } = {}): Promise<MinievmDouble> {
  const upstream = await startHardhat({ freeGas: true, blockTimeMs: options.blockTimeMs ?? 100 });
  const proxy = await startMinievmProxy(upstream.rpcUrl);
  const stop = async (): Promise<void> => {
    await proxy.close();
    await upstream.stop();
  };
  return { rpcUrl: proxy.url, chainId: upstream.chainId, upstream, stop, [Symbol.asyncDispose]: stop };
}

/**
 * Serves a local EVM node as minievm v1.2.18 would: no revert data, no prices, minievm's fields, limits, errors and
 * missing methods, as far as they were recorded (recordings/README.md, which also lists what is our choice).
 *
 * The node behind it must make blocks on an interval, queue transactions behind a nonce gap, and take transactions
 * without a fee.
 */
export async function startMinievmProxy(upstreamUrl: string): Promise<JsonRpcServer> {
  const upstream = connect(upstreamUrl);
  const methods = methodsOf(upstream);
  return serveJsonRpc(async (method, params) => {
    if (takesHash.has(method)) checkHash(params[0]);
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (answer === undefined) {
      throw new JsonRpcFailure(-32601, `the method ${method} does not exist/is not available`);
    }
    return answer(params);
  }, 0);
}

const takesHash = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt", "debug_traceTransaction"]);

function checkHash(hash: unknown): void {
  const digits = String(hash).length - 2;
  if (digits === 64) return;
  throw new JsonRpcFailure(-32602, `invalid argument 0: hex string has length ${digits}, want 64 for common.Hash`);
}

function methodsOf(upstream: Call): Readonly<Record<string, ((params: Params) => Promise<unknown>) | undefined>> {
  const same = (method: string) => (params: Params) => upstream(method, params);
  const shaped = (method: string, shape: (value: unknown) => unknown) => async (params: Params) =>
    shape(await upstream(method, params));
  const always = (value: unknown) => () => Promise.resolve(value);
  const names = [
    "eth_chainId",
    "eth_blockNumber",
    "eth_getTransactionCount",
    "eth_getBalance",
    "eth_getCode",
    "eth_getStorageAt",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, same(name)])),
    net_version: same("net_version"),
    web3_clientVersion: always("0.38.19"),
    eth_gasPrice: always("0x0"),
    eth_maxPriorityFeePerGas: always("0x0"),
    eth_feeHistory: shaped("eth_feeHistory", withoutFees),
    eth_getBlockByNumber: shaped("eth_getBlockByNumber", asBlock),
    eth_getBlockByHash: shaped("eth_getBlockByHash", asBlock),
    eth_getTransactionByHash: shaped("eth_getTransactionByHash", asTransaction),
    eth_getTransactionReceipt: shaped("eth_getTransactionReceipt", asReceipt),
    eth_getLogs: shaped("eth_getLogs", asLogs),
    eth_call: ([request, ...rest]) => query(upstream, "eth_call", [withQueryGas(request), ...rest], ""),
    eth_estimateGas: ([request, ...rest]) =>
      query(
        upstream,
        "eth_estimateGas",
        [withQueryGas(request), ...rest],
        "failed to execute message; message index: 0: ",
      ),
    eth_sendRawTransaction: oneAtATime(([raw]) => sendRaw(upstream, raw as TransactionSerialized)),
  };
}

function withoutFees(value: unknown): unknown {
  const { oldestBlock, baseFeePerGas, gasUsedRatio, reward } = value as {
    readonly oldestBlock: unknown;
    readonly baseFeePerGas: readonly unknown[];
    readonly gasUsedRatio: readonly unknown[];
    readonly reward?: readonly (readonly unknown[])[];
  };
  const fees = baseFeePerGas.map(() => "0x0");
  return {
    oldestBlock,
    reward: (reward ?? []).map((block) => block.map(() => "0x0")),
    baseFeePerGas: fees,
    gasUsedRatio,
    baseFeePerBlobGas: fees,
    blobGasUsedRatio: gasUsedRatio.map(() => 0),
  };
}

/** The request with at most the gas of a query, and without its nonce, which minievm does not check in a query. */
function withQueryGas(request: unknown): JsonObject {
  const { nonce: _, gas = queryGas, ...rest } = request as JsonObject & { readonly gas?: string | bigint };
  const wanted = BigInt(gas);
  return { ...rest, gas: `0x${(wanted < queryGas ? wanted : queryGas).toString(16)}` };
}

async function query(upstream: Call, method: string, params: Params, prefix: string): Promise<unknown> {
  try {
    return await upstream(method, params);
  } catch (error) {
    if (!(error instanceof JsonRpcFailure)) throw error;
    // Hardhat and anvil answer a revert with code 3 and its data; minievm keeps the data to itself.
    if (error.code === 3) throw new JsonRpcFailure(-32000, `${prefix}Reverted`);
    if (/out of gas|exceeds|gas limit/i.test(error.message)) throw new JsonRpcFailure(-32000, `${prefix}out of gas`);
    throw new JsonRpcFailure(-32000, error.message);
  }
}

async function sendRaw(upstream: Call, raw: TransactionSerialized): Promise<unknown> {
  const { nonce = 0 } = parseTransaction(raw);
  const from = await recoverTransactionAddress({ serializedTransaction: raw });
  const expected = Number(await upstream("eth_getTransactionCount", [from, "pending"]));
  if (nonce < expected) {
    const text = `account sequence mismatch, expected ${expected}, got ${nonce}: incorrect account sequence`;
    throw new JsonRpcFailure(-32000, text);
  }
  try {
    return await upstream("eth_sendRawTransaction", [raw]);
  } catch (error) {
    if (!(error instanceof JsonRpcFailure)) throw error;
    if (/^known transaction|already imported/i.test(error.message)) return keccak256(raw as Hex);
    throw new JsonRpcFailure(-32000, error.message);
  }
}

/** Lets one call begin only after the one before has ended: the nonce check and the send belong together. */
function oneAtATime(act: (params: Params) => Promise<unknown>): (params: Params) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (params) => {
    const next = last.then(() => act(params));
    last = next.catch(() => undefined);
    return next;
  };
}

function connect(url: string): Call {
  return async (method, params) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string };
    };
    if (error !== undefined) throw new JsonRpcFailure(error.code, error.message);
    return result;
  };
}
