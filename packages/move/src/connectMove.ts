import { stage as stageOf, VipError, type PinnedOptions, type ScoreContract, type Stage } from "@vipscore/core";
import { connectContract, type ContractParts, type ContractState } from "@vipscore/core/engine";
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
import { openNode, type ReadMoveChainIdParameters } from "./chainFacts.ts";
import { encodeCall } from "./encodeCall.ts";
import { gasModelOf, gasOfCall, priceRows, transactionLimits } from "./gasModel.ts";
import { identifyContract, type ContractFacts } from "./identifyContract.ts";
import {
  findScore,
  findStageEntry,
  readControl,
  readExtension,
  readModuleStore,
  type ModuleReader,
  type StageEntry,
} from "./moduleStore.ts";
import { readRows, readStageInfo } from "./moduleViews.ts";
import { moveAccountBytes, parseModuleAddress } from "./moveAddress.ts";
import { parseErrorConstant, parseFailure } from "./parseFailure.ts";

export interface ConnectMoveParameters extends ReadMoveChainIdParameters {
  /** Address of the scoring module (its publisher's): hex or bech32. */
  readonly address: string;
  /** The account that signs. Default: read-only. */
  readonly account?: CosmosAccount | undefined;
  /** The gas price to pay, e.g. `0.015umin`. Default: the chain's minimum. */
  readonly gasPrices?: string | undefined;
  /** The module's error constants beyond ours, from `readMoveErrors`, to name them. Default: shows their value. */
  readonly errors?: readonly string[] | undefined;
}

/**
 * Connects to a scoring module on a Move rollup, ours or the reference module, after checking the endpoint, the chain id
 * and the module.
 *
 * @throws InputError `INPUT_INVALID` for an invalid address, `CONFIG_INVALID` for an invalid URL or gas price;
 * VipError `CHAIN_MISMATCH` or `CONTRACT_NOT_FOUND`; NodeError when the endpoint fails; the signal's reason when aborted.
 * @example
 * const contract = await connectMove({ rpcUrl: "http://127.0.0.1:26657", address: "init1…", account });
 * const info = await contract.getStage(stage(1n));
 */
export async function connectMove(parameters: ConnectMoveParameters): Promise<ScoreContract> {
  const { account, gasPrices, errors = [], signal } = parameters;
  const address = parseModuleAddress(parameters.address);
  const gasPrice = gasPrices === undefined ? undefined : parseGasPrice(gasPrices);
  const rest = openNode(parameters);
  const chainId = await checkChainId(rest, parameters);
  const reader = { rest, address };
  const constants = errors.flatMap(parseErrorConstant);
  const transport = openTransport(rest, (failure) => parseFailure(failure, constants));
  const signer = account && new TransactionSigner(rest, { chainId, account, gasPrice });
  const partsOf = (facts: ContractFacts): ContractParts<CosmosMessage> => {
    const { version, code, features } = facts;
    return {
      identity: { vm: "move", chainId, address },
      version,
      code,
      features,
      accountBytes: moveAccountBytes,
      account: account?.account,
      state: moveState(reader, facts),
      getLimits: ({ packed = false, signal: until } = {}) =>
        transactionLimits(rest, gasModelOf(features, packed).baseGas, account, { signal: until }),
      priceRows: async (rows, { packed = false }) => priceRows(gasModelOf(features, packed), rows, packed),
      getCallGas: gasOfCall,
      getGasPrice: async ({ signal: until } = {}) => gasQuote(gasPrice ?? (await readRestGasPrice(rest, until))),
      encode: (call, sender) => encodeCall({ signer: sender, module: address, hasRoles: features.roles }, call),
      ...transport,
      signer,
    };
  };
  return connectContract(transport.heights, (at) => identifyContract(reader, at), partsOf, signal);
}

/** Reads a module by the functions that it has. The handle of the table of stages never changes. */
function moveState(reader: ModuleReader, { features, stages }: ContractFacts): ContractState {
  const { rest, address } = reader;
  const findStage = (stage: Stage, at: PinnedOptions): Promise<StageEntry | undefined> =>
    findStageEntry(rest, stages, stage, at);
  return {
    getStage: async (stage, at) => {
      if (features.checkedFinalize) return readStageInfo(reader, stage, at);
      const entry = await findStage(stage, at);
      if (entry === undefined) return undefined;
      const { total, isFinalized, count } = entry;
      return { stage, total, isFinalized, count, revision: undefined };
    },
    getInitStage: async (at) => {
      const { initStage } = await readModuleStore(reader, at);
      if (initStage > 0n) return stageOf(initStage);
      throw new VipError(`the module at ${address} has no stage yet`, {
        code: "STAGE_NOT_FOUND",
        metaMessages: [
          { code: "set-first-stage", text: "A deployer sets the first one with set_init_stage; a deployment does it." },
        ],
      });
    },
    getScore: async (stage, account, at) => {
      const entry = await findStage(stage, at);
      return entry && findScore(rest, entry.scores, account, at);
    },
    getScores: async function* (stage, { info, ...options }) {
      const { count = 0n } = info ?? (await findStage(stage, options)) ?? {};
      yield* readRows(reader, stage, { ...options, count });
    },
    isMember: async (account, at) => (await readModuleStore(reader, at)).deployers.includes(account),
    isManager: async (account, at) => {
      const isPublisher = account === address;
      if (!features.roles) return isPublisher;
      const { owner, publisherManages } = await readExtension(reader, at);
      return account === owner || (isPublisher && publisherManages);
    },
    getControl: async (at) => (features.roles ? readControl(reader, at) : undefined),
    getMembers: async (at) => (await readModuleStore(reader, at)).deployers,
  };
}
