import { parseAbi, type AbiItem } from "viem";
import {
  stage as stageOf,
  type Account,
  type PinnedOptions,
  type ScoreContract,
  type SignedTransaction,
} from "@vipscore/core";
import { connectContract, type ContractParts, type ContractState } from "@vipscore/core/engine";
import type { TransactionSender } from "@vipscore/core/wire";
import { broadcast, lookUp, sendAllOf, simulate } from "./broadcast.ts";
import { encodeCall } from "./encodeCall.ts";
import type { EvmAccount } from "./evmAccount.ts";
import { accountOfAddress, parseContractAddress } from "./evmAddress.ts";
import { EvmSigner, readGasQuote, type EvmMessage } from "./evmSigner.ts";
import { callGas, referenceGas, transactionLimits, vipScoreGas } from "./gasModel.ts";
import { identifyContract, type ContractFacts } from "./identifyContract.ts";
import { checkChainId, openHeights, openRpc, type ReadEvmChainIdParameters } from "./openRpc.ts";
import { readContract, type ContractReader } from "./readContract.ts";
import { readControl, readMembers, readPaddedScores, readScoresById, readStageInfo } from "./vipScoreState.ts";

export type ConnectEvmParameters = ReadEvmChainIdParameters & {
  /** Address of the scoring contract: 20 bytes in hex, checksummed or in one case. */
  readonly address: string;
  /** The account that signs: a viem account from a key or a mnemonic, or a device. Default: read-only. */
  readonly account?: EvmAccount | undefined;
  /** The contract's errors beyond ours, such as `AboveCap(address,uint64)`, to name them. Default: shows their data. */
  readonly errors?: readonly string[] | undefined;
};

/**
 * Connects to a scoring contract on an EVM rollup, ours, the reference contract or another one, after checking the endpoint, the
 * chain id and the contract.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL; VipError `CHAIN_MISMATCH`
 * or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectEvm({ rpcUrl: "http://127.0.0.1:8545", address, account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectEvm(parameters: ConnectEvmParameters): Promise<ScoreContract> {
  const address = parseContractAddress(parameters.address);
  const rpc = openRpc(parameters);
  const chainId = await checkChainId(rpc, parameters);
  const { account } = parameters;
  const errors = (parameters.errors ?? []).flatMap(parseError);
  const reader = { rpc, address };
  const sent = new Map<string, TransactionSender>();
  const heights = openHeights(rpc, sent);
  const signer = account && new EvmSigner(rpc, { chainId, account });
  const sendAll = sendAllOf(rpc);
  const note = ({ hash, sequence: nonce }: SignedTransaction): void => {
    if (account !== undefined) sent.set(hash, { from: account.address, nonce });
  };
  const partsOf = (facts: ContractFacts): ContractParts<EvmMessage> => {
    const { version, code, features } = facts;
    const gas = features.packed ? vipScoreGas(reader) : referenceGas;
    return {
      identity: { vm: "evm", chainId: chainId.toString(), address },
      version,
      code,
      features,
      accountBytes: [20],
      account: account && accountOfAddress(account.address),
      state: evmState(reader, facts),
      getLimits: ({ signal } = {}) => transactionLimits(rpc, gas.baseGas, signal),
      priceRows: gas.priceRows,
      getCallGas: callGas,
      getGasPrice: ({ signal } = {}) => readGasQuote(rpc, signal),
      encode: (call) => ({ to: address, data: encodeCall(call) }),
      simulate: (message, { from, signal }) => simulate(rpc, { from, ...message }, signal, errors),
      heights,
      signer,
      send: (transaction, signal) => {
        note(transaction);
        return broadcast(rpc, transaction, signal);
      },
      sendAll:
        sendAll &&
        ((transactions, signal) => {
          for (const transaction of transactions) note(transaction);
          return sendAll(transactions, signal);
        }),
      find: (hash, signal) => lookUp(rpc, hash, signal, errors),
    };
  };
  return connectContract(heights, (at) => identifyContract(reader, at), partsOf, parameters.signal);
}

/** Nothing for a text that is not the signature of an error: then its data is shown. */
function parseError(signature: string): readonly AbiItem[] {
  try {
    return parseAbi<readonly string[]>([`error ${signature}`]);
  } catch {
    return [];
  }
}

/** Reads a contract by the functions that it has. */
function evmState(reader: ContractReader, { features, isProxy }: ContractFacts): ContractState {
  const isMember = (account: Account, at: PinnedOptions) => readContract(reader, "allowList", [account], at);
  return {
    getStage: async (stage, at) => {
      if (features.checkedFinalize) return readStageInfo(reader, stage, at);
      const [number, total, isFinalized] = await readContract(reader, "stages", [stage], at);
      return number === 0n ? undefined : { stage, total, isFinalized, count: undefined, revision: undefined };
    },
    getInitStage: async (at) => stageOf(await readContract(reader, "initStage", [], at)),
    getScore: async (stage, account, at) => {
      const [isIndexed, amount] = await readContract(reader, "scores", [stage, account], at);
      return isIndexed ? amount : undefined;
    },
    getScores: (stage, at) => (features.packed ? readScoresById : readPaddedScores)(reader, stage, at),
    isMember,
    isManager: async (account, at) => {
      if (!features.roles) return isMember(account, at);
      const [owner, membersManage] = await Promise.all([
        readContract(reader, "owner", [], at),
        readContract(reader, "membersCanManage", [], at),
      ]);
      return accountOfAddress(owner) === account || (membersManage && isMember(account, at));
    },
    getControl: async (at) => (features.roles ? readControl(reader, isProxy, at) : undefined),
    getMembers: async (at) => (features.roles ? readMembers(reader, at) : undefined),
  };
}
