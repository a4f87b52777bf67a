import { CheckError, NodeError } from "@vipscore/core";
import { callJsonRpc, parseEndpoint, retryRead, type HttpEndpoint, type JsonRpcRefusal } from "@vipscore/core/http";

/** How many requests are under way at a time. */
const parallel = 16;

/** How long one answer may take, in milliseconds. */
const timeoutMs = 30_000;

/** Largest answer that is read, in bytes: code has at most 24,576 (EIP-170), two digits each; some chains allow more. */
const maxBytes = 1_048_576;

/** What the code of an account begins with that lets a contract act for it and stays an account (EIP-7702). */
const delegation = /^0xef0100[0-9a-f]{40}$/i;

/** What {@link readContracts} needs. */
export interface ReadContractsParameters {
  /** JSON-RPC endpoint of the EVM rollup. */
  readonly rpcUrl: string;
  /** The chain as the NFT indexer names it. */
  readonly chainId: string;
  /** Accounts of 20 bytes. */
  readonly accounts: readonly `0x${string}`[];
  readonly signal: AbortSignal;
  readonly onProgress?: (checked: number) => void;
}

/**
 * Those of the accounts that are contracts: there is code at them which is no EIP-7702 delegation.
 *
 * @throws CheckError `CHAIN_MISMATCH` when the indexer names another EVM chain id; InputError `CONFIG_INVALID` for a URL that
 * is none; NodeError.
 */
export async function readContracts(parameters: ReadContractsParameters): Promise<ReadonlySet<`0x${string}`>> {
  const { rpcUrl, chainId, accounts, signal, onProgress } = parameters;
  const endpoint = parseEndpoint(rpcUrl, "RPC URL");
  await checkChain(endpoint, chainId, signal);
  const contracts = new Set<`0x${string}`>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (;;) {
      const account = accounts[next];
      next += 1;
      if (account === undefined) return;
      const code = await call(endpoint, { method: "eth_getCode", params: [account, "latest"], signal });
      if (code !== "0x" && !delegation.test(code)) contracts.add(account);
      onProgress?.(next);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return contracts;
}

/** An indexer of an EVM rollup may name the chain by its Cosmos id, which no EVM endpoint tells: that is not compared. */
async function checkChain(endpoint: HttpEndpoint, indexed: string, signal: AbortSignal): Promise<void> {
  const chainId = BigInt(await call(endpoint, { method: "eth_chainId", params: [], signal })).toString();
  if (!/^\d+$/.test(indexed) || indexed === chainId) return;
  throw new CheckError(`${endpoint.shown} serves chain ${chainId}, the NFT indexer chain ${indexed}`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Check the RPC URL and the indexer's URL."],
  });
}

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal: AbortSignal;
}

/** A result that is hexadecimal text. */
function call(endpoint: HttpEndpoint, { method, params, signal }: Call): Promise<string> {
  const refuse = ({ message = "no message" }: JsonRpcRefusal): NodeError =>
    new NodeError(`${endpoint.shown} refused ${method}: ${message.slice(0, 500)}`, {
      code: "NODE_ERROR",
      details: message,
    });
  const read = async (): Promise<string> => {
    const result = await callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal, refuse });
    if (typeof result === "string" && /^0x[0-9a-f]*$/i.test(result)) return result;
    throw new NodeError(
      `${endpoint.shown} answered ${method} with no code and no number; is it the RPC URL of the rollup?`,
      {
        code: "NODE_BAD_RESPONSE",
        details: endpoint.hide(JSON.stringify(result).slice(0, 200)),
      },
    );
  };
  return retryRead(read, { endpoint: endpoint.shown, isPassing, signal });
}

function isPassing(error: unknown): boolean {
  return error instanceof NodeError && error.code === "NODE_UNREACHABLE";
}
