import { checkNewest } from "@vipscore/core/engine";
import type { EvmAccount } from "./evmAccount.ts";
import { parseContractAddress } from "./evmAddress.ts";
import { accountOf } from "./evmProviderAccount.ts";
import { EvmScoreContract } from "./evmScoreContract.ts";
import { EvmSigner } from "./evmSigner.ts";
import { identifyContract } from "./identifyContract.ts";
import { openRpc, type EvmProvider } from "./openRpc.ts";
import { checkChainId, type ReadEvmChainIdParameters } from "./readEvmChainId.ts";
import { openHeights } from "./readHeight.ts";

export type ConnectEvmParameters = ReadEvmChainIdParameters & {
  /** Address of the scoring contract: 20 bytes in hex, checksummed or in one case. */
  readonly address: string;
  /**
   * The account that signs: a viem account from a key or a mnemonic, a device, or a wallet that signs through EIP-1193. Default:
   * read-only.
   */
  readonly account?: EvmAccount | EvmProvider | undefined;
};

/**
 * Connects to a scoring contract on an EVM rollup, ours, the reference contract or another one, after checking the endpoint, the
 * chain id and the contract.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL, `KEY_INVALID` for a wallet without
 * an account; CheckError `CHAIN_MISMATCH` or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectEvm({ rpcUrl: "http://127.0.0.1:8545", address, account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectEvm(parameters: ConnectEvmParameters): Promise<EvmScoreContract> {
  const { signal } = parameters;
  const address = parseContractAddress(parameters.address);
  const rpc = openRpc(parameters);
  const chainId = await checkChainId(rpc, parameters);
  const account = parameters.account && (await accountOf(parameters.account));
  const signer = account && new EvmSigner(rpc, { chainId, account });
  const heights = openHeights(rpc);
  const facts = await checkNewest(heights, (height) => identifyContract({ rpc, address }, { height, signal }), {
    signal,
  });
  return new EvmScoreContract({ rpc, address, chainId, ...facts, signer, heights });
}
