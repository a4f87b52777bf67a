import type { Account } from "./account.ts";
import { accountOf } from "./account/readAccount.ts";
import { InputError } from "./errors/inputError.ts";
import { BroadcastError, VipError } from "./errors/vipError.ts";
import { checkNewest } from "./push/checkNewest.ts";
import { txIndexAdvice } from "./push/waitForOutcome.ts";
import type { PinnedOptions, ReadOptions } from "./readOptions.ts";
import type {
  ContractCall,
  ContractControl,
  FeeQuote,
  ScoreContract,
  SignedTransaction,
  SignOptions,
  SimulateOptions,
  Simulation,
  StageInfo,
  TransactionStatus,
} from "./scoreContract.ts";
import type { Score, Stage } from "./stage.ts";
import type { Answer } from "./wire/answer.ts";
import type { MonotonicHeight } from "./wire/retryRead.ts";

/** Signs the transactions of one account on one chain. `Message` is what a transaction does, as the chain takes it. */
export interface Signer<Message> {
  /** Returns the sequence of the next transaction, known pending transactions included; with a height, that of its state. */
  readSequence(options: ReadOptions): Promise<bigint>;
  readFees(signal: AbortSignal | undefined): Promise<FeeQuote>;
  sign(message: Message, options: SignOptions): Promise<SignedTransaction>;
  /** Learns from a refusal which sequence, price or form the node accepts. */
  noteRefusal(transaction: SignedTransaction, refusal: BroadcastError): void;
}

/** Sends several transactions in one request, and returns what becomes of each: what `broadcast` of the port returns. */
export type SendAll = (
  transactions: readonly SignedTransaction[],
  signal: AbortSignal | undefined,
) => (transaction: SignedTransaction, at: number) => Promise<void>;

/** How an adapter sends the transactions of an account, or of nobody. */
export interface SenderParts<Message> {
  readonly heights: MonotonicHeight;
  /** Undefined for a connection that can only read. */
  readonly signer: Signer<Message> | undefined;
  /** Sends a transaction once; see `broadcast` of the port. */
  readonly send: (transaction: SignedTransaction, signal: AbortSignal | undefined) => Promise<void>;
  /** Sends several transactions in one request, if the endpoint takes them; see `broadcastAll` of the port. */
  readonly sendAll?: SendAll | undefined;
  /** Looks up a transaction; see `lookUp` of the port. */
  readonly find: (hash: string, signal: AbortSignal | undefined) => Promise<TransactionStatus>;
}

/** The part of the port that does not need a contract. */
export type Sender = Pick<
  ScoreContract,
  "getHeight" | "getFees" | "getSequence" | "broadcast" | "broadcastAll" | "lookUp"
>;

/** Opens the part of the port that sends transactions; a deployment has it before its contract exists. */
export function openSender<Message>({ heights, signer, send, sendAll, find }: SenderParts<Message>): Sender {
  const learn = async (transaction: SignedTransaction, sending: Promise<void>): Promise<void> => {
    try {
      await sending;
    } catch (error) {
      if (error instanceof BroadcastError) signer?.noteRefusal(transaction, error);
      throw error;
    }
  };
  return {
    getHeight: (options) => heights.getHeight(options),
    getFees: async ({ signal } = {}) => requireSigning(signer).readFees(signal),
    getSequence: async (options = {}) => requireSigning(signer).readSequence(options),
    broadcast: (transaction, { signal } = {}) => learn(transaction, send(transaction, signal)),
    ...(sendAll && {
      broadcastAll: (transactions, { signal } = {}) => {
        const sendingOf = sendAll(transactions, signal);
        return transactions.map((transaction, at) => learn(transaction, sendingOf(transaction, at)));
      },
    }),
    lookUp: async (hash, { signal } = {}) => {
      const status = await find(hash, signal);
      if (status.state === "included") heights.raise(status.height);
      return status;
    },
  };
}

/** The reads of the port at one height. */
export interface ContractState extends Pick<ScoreContract, "getScores"> {
  readonly getStage: (stage: Stage, options: PinnedOptions) => Promise<StageInfo | undefined>;
  readonly getInitStage: (options: PinnedOptions) => Promise<Stage>;
  readonly getScore: (stage: Stage, account: Account, options: PinnedOptions) => Promise<Score | undefined>;
  readonly isMember: (account: Account, options: PinnedOptions) => Promise<boolean>;
  readonly isManager: (account: Account, options: PinnedOptions) => Promise<boolean>;
  readonly getControl: (options: PinnedOptions) => Promise<ContractControl | undefined>;
  readonly getMembers: (options: PinnedOptions) => Promise<readonly Account[] | undefined>;
}

/** What an adapter knows and does of a contract. */
export interface ContractParts<Message>
  extends
    SenderParts<Message>,
    Pick<
      ScoreContract,
      | "identity"
      | "version"
      | "code"
      | "features"
      | "accountBytes"
      | "getLimits"
      | "priceRows"
      | "getCallGas"
      | "getGasPrice"
    > {
  /** The signer's account; undefined for a connection that can only read. */
  readonly account: Account | undefined;
  readonly state: ContractState;
  /** Returns what a transaction of the account does to make the call. */
  readonly encode: (call: ContractCall, account: Account) => Message;
  /** Runs a message of the account without sending it; see `simulate` of the port. */
  readonly simulate: (message: Message, options: SimulateOptions & { readonly from: Account }) => Promise<Simulation>;
}

export function openContract<Message>(parts: ContractParts<Message>): ScoreContract {
  const { identity, version, code, features, accountBytes, account, heights, state, signer, encode } = parts;
  const { getLimits, priceRows, getCallGas, getGasPrice } = parts;
  const read = (text: string): Account => accountOf(text, accountBytes);
  return {
    identity,
    version,
    code,
    features,
    accountBytes,
    signer: account,
    getLimits,
    priceRows,
    getCallGas,
    getGasPrice,
    ...openSender(parts),
    getStage: async (stage, options = {}) => state.getStage(stage, await heights.pin(options)),
    getInitStage: async (options = {}) => state.getInitStage(await heights.pin(options)),
    getScore: async (stage, of, options = {}) => state.getScore(stage, read(of), await heights.pin(options)),
    getScores: (stage, options) => state.getScores(stage, options),
    isMember: async (of, options = {}) => state.isMember(read(of), await heights.pin(options)),
    isManager: async (of, options = {}) => state.isManager(read(of), await heights.pin(options)),
    getControl: async (options = {}) => state.getControl(await heights.pin(options)),
    getMembers: async (options = {}) => state.getMembers(await heights.pin(options)),
    simulate: async (call, options) => {
      const from = requireSigning(account);
      return parts.simulate(encode(call, from), { ...options, from });
    },
    sign: async (call, options) => requireSigning(signer).sign(encode(call, requireSigning(account)), options),
  };
}

/**
 * Opens a contract after identifying it at the newest state that any node of the endpoint shows.
 *
 * @throws the errors of `identify`: VipError `CONTRACT_NOT_FOUND`; NodeError.
 */
export async function connectContract<Facts, Message>(
  heights: MonotonicHeight,
  identify: (options: PinnedOptions) => Promise<Facts>,
  partsOf: (facts: Facts) => ContractParts<Message>,
  signal: AbortSignal | undefined,
): Promise<ScoreContract> {
  return openContract(partsOf(await checkNewest(heights, (height) => identify({ height, signal }), { signal })));
}

/** Returns the chain id that an endpoint serves. @throws VipError `CHAIN_MISMATCH` when another one is expected. */
export function requireChainId<Id extends string | bigint>(
  { endpoint, chainId }: { readonly endpoint: string; readonly chainId: Id },
  expected: Id | undefined,
): Id {
  if (expected === undefined || chainId === expected) return chainId;
  const [shown, wanted] =
    typeof chainId === "bigint" ? [chainId, `chain ${expected}`] : [`"${chainId}"`, `"${expected}"`];
  throw new VipError(`${endpoint} serves chain ${shown}, expected ${wanted}`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Check the endpoint and the chain id of the rollup."],
  });
}

/**
 * Throws if a node keeps no index of transactions: it shows no receipt, which a deployment needs.
 *
 * @param nodeInfo - What CometBFT says about itself.
 * @throws VipError `TX_INDEX_OFF`.
 */
export function requireTxIndex(endpoint: string, nodeInfo: Answer): void {
  if (nodeInfo.optional("other")?.optional("tx_index")?.value !== "off") return;
  throw new VipError(`${endpoint} keeps no index of transactions, so it cannot show whether one was included`, {
    code: "TX_INDEX_OFF",
    metaMessages: [txIndexAdvice, "Nothing was sent."],
  });
}

function requireSigning<T>(signing: T | undefined): T {
  if (signing !== undefined) return signing;
  throw new InputError("this connection has no signing account and can only read", { code: "KEY_INVALID" });
}

/**
 * The signer of one account's transactions: a key in memory or a device that asks a person. Its key cannot be read from it
 * and never appears when it is printed.
 *
 * `Unsigned` is a transaction before its signature, `Signed` the transaction as the chain takes it.
 */
export interface SigningAccount<Unsigned, Signed> {
  /** The address as the chain spells it. */
  readonly address: string;
  /**
   * Signs a transaction. A device may take as long as the person at it.
   *
   * @throws VipError when a device is missing, locked or shows another app, and when the person refuses.
   */
  signTransaction(transaction: Unsigned): Promise<Signed>;
}
