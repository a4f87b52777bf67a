import type { ContractFeatures, ScoreContract } from "@vipscore/core";
import { connectContract, type ContractParts, type ContractState } from "@vipscore/core/engine";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import {
  checkChainId,
  gasQuote,
  openTransport,
  parseGasPrice,
  readRestGasPrice,
  TransactionSigner,
  type CosmosAccount,
  type CosmosMessage,
} from "@vipscore/cosmos";
import type { ReadWasmChainIdParameters } from "./chainFacts.ts";
import type { ContractReader } from "./contractReader.ts";
import { encodeCall } from "./encodeCall.ts";
import { otherCallGas, pricePublishedRows, priceRows, RowOrder, transactionLimits } from "./gasModel.ts";
import { identifyContract, type ContractFacts } from "./identifyContract.ts";
import { parseFailure } from "./parseFailure.ts";
import { publishedState } from "./publishedState.ts";
import { vipScoreState } from "./vipScoreState.ts";
import { parseContractAddress, wasmAccountBytes } from "./wasmAddress.ts";

export interface ConnectWasmParameters extends ReadWasmChainIdParameters {
  /** Address of the scoring contract: bech32 or hex. */
  readonly address: string;
  /** The account that signs. Default: read-only. */
  readonly account?: CosmosAccount | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

/**
 * Connects to a scoring contract on a Wasm rollup, ours, the reference contract or another one, after checking the endpoint, the chain
 * id and the contract.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL or gas price;
 * VipError `CHAIN_MISMATCH` or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectWasm({ rpcUrl: "http://127.0.0.1:26657", address: "init1…", account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectWasm(parameters: ConnectWasmParameters): Promise<ScoreContract> {
  const { account, gasPrices, signal } = parameters;
  const address = parseContractAddress(parameters.address);
  const gasPrice = gasPrices === undefined ? undefined : parseGasPrice(gasPrices);
  const comet = openJsonRpc(parameters.rpcUrl);
  const rest = restOverRpc(comet);
  const chainId = await checkChainId(rest, parameters);
  const reader = { comet, address };
  const transport = openTransport(rest, parseFailure);
  const signer = account && new TransactionSigner(rest, { chainId, account, gasPrice });
  const partsOf = ({ version, code, features }: ContractFacts): ContractParts<CosmosMessage> => ({
    identity: { vm: "wasm", chainId, address },
    version,
    code,
    features,
    accountBytes: wasmAccountBytes,
    account: account?.account,
    state: stateOf(reader, features),
    getLimits: (options = {}) => transactionLimits(rest, account, options),
    priceRows: async (rows, { scores, packed = false }) =>
      features.packed ? priceRows(rows, new RowOrder(scores), { packed }) : pricePublishedRows(rows, { packed }),
    getCallGas: otherCallGas,
    getGasPrice: async ({ signal: until } = {}) => gasQuote(gasPrice ?? (await readRestGasPrice(rest, until))),
    encode: (call, sender) => encodeCall({ signer: sender, contract: address }, call),
    ...transport,
    signer,
  });
  return connectContract(transport.heights, (at) => identifyContract(reader, at), partsOf, signal);
}

/** Reads with the queries that the contract has, and the rest from its store. */
export function stateOf(reader: ContractReader, { checkedFinalize, packed, roles }: ContractFeatures): ContractState {
  const state = publishedState(reader);
  const { getStage, isMember, isManager, getControl, getMembers, ...rows } = vipScoreState(reader);
  return {
    ...state,
    ...(checkedFinalize && { getStage }),
    ...(packed && rows),
    ...(roles && { isMember, isManager, getControl, getMembers }),
  };
}
