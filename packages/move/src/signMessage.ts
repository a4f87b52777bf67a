import { ModeInfo, Msg, Tx } from "@initia/initia.js";
import { feeOf, unsignedTransactionJson, type GasPrice, type MessageJson } from "@vipscore/core/cosmos";
import { openRest } from "@vipscore/core/wire";
import { readAccountState } from "./accountState.ts";
import { readGasPrice } from "./fees.ts";
import type { MoveAccount } from "./moveAccount.ts";

/** Parameters of {@link signMessage}. */
export interface SignMessageParameters {
  /** REST endpoint of the Move chain that the transaction is for; Initia's L1 is one. */
  readonly restUrl: string;
  readonly chainId: string;
  readonly account: MoveAccount;
  /** The message in the JSON form of protobuf. */
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
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function signMessage(parameters: SignMessageParameters): Promise<SignedMessage> {
  const { restUrl, chainId, account, message, gas, signal } = parameters;
  const rest = openRest(restUrl);
  const { accountNumber, sequence } = await readAccountState(rest, account.address, signal);
  const price = parameters.gasPrice ?? (await readGasPrice(rest, signal));
  const fee = price === undefined ? undefined : { denom: price.denom, amount: feeOf(price, gas) };
  const bytes = await account.signTransaction({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- initia.js names its JSON forms, which these messages have
    message: Msg.fromData(message as unknown as Msg.Data),
    chainId,
    accountNumber,
    sequence,
    gas,
    fee,
  });
  return { json: signedJson(bytes, { message, gas, fee }), accountNumber, sequence };
}

function signedJson(
  bytes: Uint8Array,
  {
    message,
    gas,
    fee,
  }: Pick<SignMessageParameters, "message" | "gas"> & { fee: { denom: string; amount: bigint } | undefined },
): object {
  const { auth_info, signatures } = Tx.fromBuffer(Buffer.from(bytes));
  const unsigned = unsignedTransactionJson({ messages: [message], gas, fee });
  const signers = auth_info.signer_infos.map(({ public_key, mode_info, sequence }) => ({
    public_key: public_key.toData(),
    mode_info: { single: { mode: modeName(mode_info) } },
    sequence: sequence.toString(),
  }));
  return { ...unsigned, auth_info: { ...unsigned.auth_info, signer_infos: signers }, signatures };
}

function modeName({ single }: ModeInfo): string {
  if (single === undefined) throw new Error("one key makes one signature");
  return ModeInfo.SignMode[single.mode];
}

/** Reads the minimum gas price of a Move chain; undefined if gas is free. */
export function readMoveGasPrice(restUrl: string, signal?: AbortSignal): Promise<GasPrice | undefined> {
  return readGasPrice(openRest(restUrl), signal);
}
