import { checkNewest } from "@vipscore/core/engine";
import { openJsonRpc } from "@vipscore/core/wire";
import { accountOf, parseGasPrice, type CosmosAccount, type OfflineSigner } from "@vipscore/cosmos";
import { checkChainId, openHeights, type ReadWasmChainIdParameters } from "./chainFacts.ts";
import { identifyContract } from "./identifyContract.ts";
import { parseContractAddress } from "./wasmAddress.ts";
import { WasmScoreContract } from "./wasmScoreContract.ts";
import { wasmSigner } from "./wasmSigner.ts";

export interface ConnectWasmParameters extends ReadWasmChainIdParameters {
  /** Address of the scoring contract: bech32 or hex. */
  readonly address: string;
  /** The account that signs, or a wallet in the form of cosmjs' `OfflineSigner`, whose first key signs. Default: read-only. */
  readonly account?: CosmosAccount | OfflineSigner | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

/**
 * Connects to a scoring contract on a Wasm rollup, ours, the reference contract or another one, after checking the endpoint, the chain
 * id and the contract.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL or gas price,
 * `KEY_INVALID` for a wallet without a usable key; CheckError `CHAIN_MISMATCH` or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectWasm({ rpcUrl: "http://127.0.0.1:26657", address: "init1…", account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectWasm(parameters: ConnectWasmParameters): Promise<WasmScoreContract> {
  const { gasPrices, signal } = parameters;
  const account = parameters.account && (await accountOf(parameters.account));
  const address = parseContractAddress(parameters.address);
  const gasPrice = gasPrices === undefined ? undefined : parseGasPrice(gasPrices);
  const comet = openJsonRpc(parameters.rpcUrl);
  const chainId = await checkChainId(comet, parameters);
  const signer = account && wasmSigner(comet, { chainId, account, gasPrice });
  const heights = openHeights(comet);
  const facts = await checkNewest(heights, (height) => identifyContract({ comet, address }, { height, signal }), {
    signal,
  });
  return new WasmScoreContract({ comet, address, chainId, ...facts, signer, heights });
}
