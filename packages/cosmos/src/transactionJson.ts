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
