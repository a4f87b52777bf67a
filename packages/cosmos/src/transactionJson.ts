import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { signModeToJSON } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { AuthInfo, TxRaw, type SignerInfo } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { InputError, type OtherCall, type ScoreContract, type SignalOptions } from "@vipscore/core";
import { feeOf } from "./gasPrice.ts";
import { feeCoins } from "./transactionBytes.ts";

/** A message in the JSON form of protobuf: its type, and its fields in snake case. */
export interface MessageJson {
  readonly "@type": string;
  readonly [field: string]: unknown;
}

/** The parts of a transaction before anyone signs it. */
export interface TransactionJsonParts {
  readonly messages: readonly MessageJson[];
  /** The gas limit. */
  readonly gas: bigint;
  /** None: the transaction pays nothing. */
  readonly fee?: { readonly denom: string; readonly amount: bigint } | undefined;
}

/**
 * Returns a transaction without signatures as the Cosmos CLI writes it with `--generate-only`; `minitiad tx sign`, `multisign`
 * and `broadcast` read it. The form is the JSON of protobuf of `cosmos.tx.v1beta1.Tx` with empty fields written out (Cosmos
 * SDK 0.50, `client/tx/factory.go`).
 */
export function unsignedTransactionJson({ messages, gas, fee }: TransactionJsonParts) {
  return {
    body: {
      messages,
      memo: "",
      timeout_height: "0",
      extension_options: [],
      non_critical_extension_options: [],
    },
    auth_info: {
      signer_infos: [],
      fee: {
        amount: feeCoins({ fee }),
        gas_limit: gas.toString(),
        payer: "",
        granter: "",
      },
      tip: null,
    },
    signatures: [],
  };
}

/**
 * Returns a signed transaction as the Cosmos CLI writes it; `initiad tx broadcast` and `minitiad tx broadcast` read it.
 *
 * @param bytes The transaction with its signature.
 * @param parts What it was made of.
 */
export function signedTransactionJson(bytes: Uint8Array, parts: TransactionJsonParts) {
  const { authInfoBytes, signatures } = TxRaw.decode(bytes);
  const unsigned = unsignedTransactionJson(parts);
  const signers = AuthInfo.decode(authInfoBytes).signerInfos.map(signerJson);
  return {
    ...unsigned,
    auth_info: { ...unsigned.auth_info, signer_infos: signers },
    signatures: signatures.map(base64),
  };
}

function signerJson({ publicKey, modeInfo, sequence }: SignerInfo) {
  if (publicKey === undefined || modeInfo?.single === undefined) throw new Error("one key makes one signature");
  return {
    public_key: { "@type": publicKey.typeUrl, key: base64(PubKey.decode(publicKey.value).key) },
    mode_info: { single: { mode: signModeToJSON(modeInfo.single.mode) } },
    sequence: sequence.toString(),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/**
 * Gas for the keys and signatures of a multisig: by default a chain takes at most 7 keys in a transaction, which add about 900
 * bytes at 10 gas and 7 signatures at 1,000 gas.
 */
const multisigGas = 25_000n;

/**
 * Returns a call's transaction as the Cosmos CLI writes it with `--generate-only`, with gas and fee for a multisig.
 *
 * @throws NodeError.
 */
export async function unsignedCallJson(
  contract: ScoreContract,
  call: OtherCall,
  message: MessageJson,
  { signal }: SignalOptions = {},
) {
  const gas = contract.getCallGas(call) + multisigGas;
  const { gasPrice, token } = await contract.getFees({ signal });
  const amount = feeOf({ denom: token.symbol, ...gasPrice }, gas);
  const fee = amount === 0n ? undefined : { denom: token.symbol, amount };
  return unsignedTransactionJson({ messages: [message], gas, fee });
}

/**
 * Returns the account that a contract's calls are for.
 *
 * @throws InputError `KEY_INVALID` for a connection without one.
 */
export function senderOf({ signer }: ScoreContract): NonNullable<ScoreContract["signer"]> {
  if (signer !== undefined) return signer;
  throw new InputError("this connection has no account that could sign", { code: "KEY_INVALID" });
}
