import { keccak256, parseTransaction, recoverTransactionAddress, type Hex, type TransactionSerialized } from "viem";
import { formatBech32, parseAccount } from "@vipscore/core";
import { JsonRpcFailure, serveJsonRpc, startHardhat, type LocalNode, type LoopbackServer } from "@vipscore/localnet";
import { rpcOf, RpcRefusal, type CallMethod } from "../proxy/rpcCalls.ts";
import { LateState, stateHeight } from "./lateState.ts";
import { asBlock, asLogs, asReceipt, asTransaction, type JsonObject } from "./minievmShapes.ts";
import { PlainTransfers } from "./plainTransfers.ts";

type Params = readonly unknown[];

/** A Hardhat chain that looks like a minievm rollup. */
export interface MinievmDouble extends AsyncDisposable {
  readonly rpcUrl: string;
  /** The chain id in decimal. */
  readonly chainId: string;
  /** The underlying Hardhat chain, for what minievm does not offer: mining, time, state. */
  readonly upstream: LocalNode;
  stop(): Promise<void>;
}

/** Maximum gas that minievm spends on an estimate. */
const queryGas = 10_000_000n;

export interface MinievmOptions {
  /** Milliseconds between blocks. Default: 100. */
  readonly blockTimeMs?: number;
  /** Milliseconds between each block and its state; 0 for none. Default: 0 to 330, drawn from a printed seed. */
  readonly stateLagMs?: number;
}

/** Starts a Hardhat chain without gas prices behind {@link startMinievmProxy}. */
export async function startMinievm({ blockTimeMs = 100, stateLagMs }: MinievmOptions = {}): Promise<MinievmDouble> {
  const upstream = await startHardhat({ freeGas: true, blockTimeMs });
  const proxy = await startMinievmProxy(upstream.rpcUrl, stateLagMs);
  const stop = async (): Promise<void> => {
    await proxy.close();
    await upstream.stop();
  };
  return { rpcUrl: proxy.url, chainId: upstream.chainId, upstream, stop, [Symbol.asyncDispose]: stop };
}

/**
 * Serves a local EVM node as minievm v1.2.18 would: no revert data, no prices, a receipt before its state, and minievm's
 * fields, limits, errors and missing methods, as far as they were recorded (recordings/README.md, which also lists our
 * choices).
 *
 * The underlying node must be a Hardhat chain that makes blocks on an interval, queues transactions behind a nonce gap, and
 * accepts transactions without a fee.
 */
export async function startMinievmProxy(upstreamUrl: string, stateLagMs?: number): Promise<LoopbackServer> {
  const call = rpcOf(upstreamUrl);
  const upstream: CallMethod = (method, params) =>
    call(method, params).catch((error: unknown) => {
      // Without Hardhat's data.
      throw error instanceof RpcRefusal ? new JsonRpcFailure(Number(error.error["code"]), error.message) : error;
    });
  const state = new LateState(stateLagMs);
  const transfers = new PlainTransfers(upstream);
  const look = async (): Promise<void> => {
    const head = BigInt(String(await upstream("eth_blockNumber", [])));
    await transfers.undoIncluded();
    state.observe(head);
  };
  const methods = methodsOf(upstream, state, transfers);
  await look();
  return serveJsonRpc(async (method, params) => {
    if (takesHash.has(method)) checkHash(params[0]);
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (answer === undefined) {
      throw new JsonRpcFailure(-32601, `the method ${method} does not exist/is not available`);
    }
    // Before, so that a read sees the newest block; after, so that a block's lag begins with the answer that shows it.
    await look();
    const result = await answer(params);
    await look();
    return result;
  }, 0);
}

const takesHash = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt", "debug_traceTransaction"]);

function checkHash(hash: unknown): void {
  const digits = String(hash).length - 2;
  if (digits === 64) return;
  throw new JsonRpcFailure(-32602, `invalid argument 0: hex string has length ${digits}, want 64 for common.Hash`);
}

type Methods = Readonly<Record<string, ((params: Params) => Promise<unknown>) | undefined>>;

function methodsOf(upstream: CallMethod, state: LateState, transfers: PlainTransfers): Methods {
  const same = (method: string) => (params: Params) => upstream(method, params);
  const shaped = (method: string, shape: (value: unknown) => unknown) => async (params: Params) =>
    shape(await upstream(method, params));
  const always = (value: unknown) => () => Promise.resolve(value);
  const stateOf = (method: string, position: number) => async (params: Params) =>
    upstream(method, [...params.slice(0, position), stateHeight(state, params[position])]);
  const countOf = stateOf("eth_getTransactionCount", 1);
  return {
    eth_chainId: same("eth_chainId"),
    eth_blockNumber: same("eth_blockNumber"),
    eth_getBalance: stateOf("eth_getBalance", 1),
    eth_getCode: stateOf("eth_getCode", 1),
    eth_getStorageAt: stateOf("eth_getStorageAt", 2),
    // The state of the mempool has all transactions of a block before the block is committed.
    eth_getTransactionCount: (params) =>
      params[1] === "pending" ? upstream("eth_getTransactionCount", params) : countOf(params),
    net_version: same("net_version"),
    web3_clientVersion: always("0.38.19"),
    eth_gasPrice: always("0x0"),
    eth_maxPriorityFeePerGas: always("0x0"),
    eth_feeHistory: shaped("eth_feeHistory", withoutFees),
    eth_getBlockByNumber: shaped("eth_getBlockByNumber", asBlock),
    eth_getBlockByHash: shaped("eth_getBlockByHash", asBlock),
    eth_getTransactionByHash: shaped("eth_getTransactionByHash", asTransaction),
    eth_getTransactionReceipt: async (params) => {
      const receipt = asReceipt(await upstream("eth_getTransactionReceipt", params));
      await transfers.undoIncluded();
      return transfers.correct(receipt);
    },
    eth_getLogs: shaped("eth_getLogs", asLogs),
    eth_call: async ([request, block]) =>
      query(upstream, "eth_call", [withQueryGas(request), stateHeight(state, block)], ""),
    eth_estimateGas: async ([request, block]) =>
      query(
        upstream,
        "eth_estimateGas",
        [withQueryGas(request), stateHeight(state, block)],
        "failed to execute message; message index: 0: ",
      ),
    eth_sendRawTransaction: oneAtATime(([raw]) =>
      sendRaw(raw as TransactionSerialized, { upstream, state, transfers }),
    ),
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

/** The request with at most a query's gas, and without its nonce, which minievm does not check in a query. */
function withQueryGas(request: unknown): JsonObject {
  const { nonce: _, gas = queryGas, ...rest } = request as JsonObject & { readonly gas?: string | bigint };
  const wanted = BigInt(gas);
  return { ...rest, gas: `0x${(wanted < queryGas ? wanted : queryGas).toString(16)}` };
}

async function query(upstream: CallMethod, method: string, params: Params, prefix: string): Promise<unknown> {
  try {
    return await upstream(method, params);
  } catch (error) {
    if (!(error instanceof JsonRpcFailure)) throw error;
    // Hardhat and anvil answer a revert with code 3 and its data; minievm omits the data.
    if (error.code === 3) throw new JsonRpcFailure(-32000, `${prefix}Reverted`);
    if (/out of gas|exceeds|gas limit/i.test(error.message)) throw new JsonRpcFailure(-32000, `${prefix}out of gas`);
    throw new JsonRpcFailure(-32000, error.message);
  }
}

interface SendContext {
  readonly upstream: CallMethod;
  readonly state: LateState;
  readonly transfers: PlainTransfers;
}

async function sendRaw(raw: TransactionSerialized, { upstream, state, transfers }: SendContext): Promise<unknown> {
  const transaction = parseTransaction(raw);
  const { nonce = 0 } = transaction;
  const from = await recoverTransactionAddress({ serializedTransaction: raw });
  await checkExists(upstream, state, from);
  const expected = Number(await upstream("eth_getTransactionCount", [from, "pending"]));
  if (nonce < expected) {
    const text = `account sequence mismatch, expected ${expected}, got ${nonce}: incorrect account sequence`;
    throw new JsonRpcFailure(-32000, text);
  }
  try {
    const hash = await upstream("eth_sendRawTransaction", [raw]);
    transfers.observe(raw, from, transaction);
    return hash;
  } catch (error) {
    if (!(error instanceof JsonRpcFailure)) throw error;
    if (/^known transaction|already imported/i.test(error.message)) return keccak256(raw as Hex);
    throw new JsonRpcFailure(-32000, error.message);
  }
}

/** Refuses an account that never received anything: it does not exist in the Cosmos SDK, even if gas is free. */
async function checkExists(upstream: CallMethod, state: LateState, address: Hex): Promise<void> {
  const at = stateHeight(state, "latest");
  const [balance, count] = await Promise.all([
    upstream("eth_getBalance", [address, at]),
    upstream("eth_getTransactionCount", [address, at]),
  ]);
  if (BigInt(String(balance)) > 0n || BigInt(String(count)) > 0n) return;
  const account = formatBech32(parseAccount(address, { accountBytes: [20] }));
  throw new JsonRpcFailure(-32000, `account ${account} does not exist: unknown address`);
}

/** Starts a call only after the previous call has ended: the nonce check and the send belong together. */
function oneAtATime(act: (params: Params) => Promise<unknown>): (params: Params) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (params) => {
    const next = last.then(() => act(params));
    last = next.catch(() => undefined);
    return next;
  };
}
