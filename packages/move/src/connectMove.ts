import { checkNewest } from "@vipscore/core/engine";
import { openRest } from "@vipscore/core/wire";
import { accountOf, parseGasPrice, type CosmosAccount, type OfflineSigner } from "@vipscore/cosmos";
import { checkChainId, openHeights, type ReadMoveChainIdParameters } from "./chainFacts.ts";
import { identifyContract } from "./identifyContract.ts";
import { parseModuleAddress } from "./moveAddress.ts";
import { MoveScoreContract } from "./moveScoreContract.ts";
import { moveSigner } from "./moveSigner.ts";

export interface ConnectMoveParameters extends ReadMoveChainIdParameters {
  /** Address of the scoring module (its publisher's): hex or bech32. */
  readonly address: string;
  /** The account that signs, or a wallet in the form of cosmjs' `OfflineSigner`, whose first key signs. Default: read-only. */
  readonly account?: CosmosAccount | OfflineSigner | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
}

/**
 * Connects to a scoring module on a Move rollup, ours or the reference module, after checking the endpoint, the chain id
 * and the module.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL or gas price,
 * `KEY_INVALID` for a wallet without a usable key; CheckError `CHAIN_MISMATCH` or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectMove({ restUrl: "http://127.0.0.1:1317", address: "init1…", account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectMove(parameters: ConnectMoveParameters): Promise<MoveScoreContract> {
  const { gasPrices, signal } = parameters;
  const account = parameters.account && (await accountOf(parameters.account));
  const address = parseModuleAddress(parameters.address);
  const gasPrice = gasPrices === undefined ? undefined : parseGasPrice(gasPrices);
  const rest = openRest(parameters.restUrl);
  const chainId = await checkChainId(rest, parameters);
  const signer = account && moveSigner(rest, { chainId, account, gasPrice });
  const heights = openHeights(rest);
  const facts = await checkNewest(heights, (height) => identifyContract({ rest, address }, { height, signal }), {
    signal,
  });
  return new MoveScoreContract({ rest, address, chainId, ...facts, signer, heights });
}
