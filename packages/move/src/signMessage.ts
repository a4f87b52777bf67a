import { openRest } from "@vipscore/core/wire";
import {
  feeOf,
  readRestGasPrice,
  signedTransactionJson,
  type CosmosAccount,
  type GasPrice,
  type MessageJson,
} from "@vipscore/cosmos";
import { messageOfJson } from "./messageOfJson.ts";
import { readAccountState } from "./moveSigner.ts";

/** Parameters of {@link signMessage}. */
export interface SignMessageParameters {
  /** REST endpoint of the Move chain that the transaction is for; Initia's L1 is one. */
  readonly restUrl: string;
  readonly chainId: string;
  readonly account: CosmosAccount;
  /** The message in the JSON form of protobuf: `MsgExecute`, or `MsgSubmitProposal` with messages `MsgGovExecute`. */
  readonly message: MessageJson;
  /** The gas limit. */
  readonly gas: bigint;
  /** The price to pay. Default: the chain's. */
  readonly gasPrice?: GasPrice | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A signed transaction that was not sent. */
export interface SignedMessage {
  /** The transaction as the Cosmos CLI writes it; `initiad tx broadcast` reads it. */
  readonly json: object;
  readonly accountNumber: bigint;
  /** The sequence that the signature is for: the transaction fails once the account has sent another one. */
  readonly sequence: bigint;
}

/**
 * Signs a transaction with one message and returns it as JSON. Reads the account's number and sequence from the chain; sends
 * nothing.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; RangeError for another message; the signal's reason when aborted.
 */
export async function signMessage(parameters: SignMessageParameters): Promise<SignedMessage> {
  const { restUrl, chainId, account, message, gas, signal } = parameters;
  const rest = openRest(restUrl);
  const { accountNumber, sequence } = await readAccountState(rest, account.address, signal);
  const price = parameters.gasPrice ?? (await readRestGasPrice(rest, signal));
  const fee = price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) };
  const transaction = { message: messageOfJson(message), chainId, accountNumber, sequence, gas, fee };
  const bytes = await account.signTransaction(transaction);
  return { json: signedTransactionJson(bytes, { messages: [message], gas, fee }), accountNumber, sequence };
}
