import { until } from "@vipscore/testkit/until";

export interface Cost {
  readonly gas: number;
  /** Size of the signed transaction; the Cosmos SDK charges 10 gas per byte (`x/auth`, `TxSizeCostPerByte`). */
  readonly bytes: number;
}

/** Reads the number and sequence of an account on the chain, which signing needs. */
export async function readSigner(restUrl: string, address: string) {
  const answer = await fetch(`${restUrl}/cosmos/auth/v1beta1/accounts/${address}`);
  const { account } = (await answer.json()) as {
    readonly account: { readonly account_number: string; readonly sequence: string };
  };
  return { accountNumber: BigInt(account.account_number), sequence: BigInt(account.sequence) };
}

interface Answer {
  readonly tx_response: {
    readonly txhash: string;
    readonly code: number;
    readonly raw_log: string;
    readonly gas_used: string;
  };
}

/** Sends a signed transaction and returns its cost once it is in a block. */
export async function send(restUrl: string, bytes: Uint8Array): Promise<Cost> {
  const body = JSON.stringify({ tx_bytes: Buffer.from(bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" });
  const headers = { "content-type": "application/json" };
  const sent = await fetch(`${restUrl}/cosmos/tx/v1beta1/txs`, { method: "POST", headers, body });
  const { tx_response: taken } = (await sent.json()) as Answer;
  if (taken.code !== 0) throw new Error(`the node refused a transaction: ${taken.raw_log}`);
  const { tx_response: included } = await until(`transaction ${taken.txhash}`, async () => {
    const found = await fetch(`${restUrl}/cosmos/tx/v1beta1/txs/${taken.txhash}`);
    return found.ok && ((await found.json()) as Answer);
  });
  if (included.code !== 0) throw new Error(`a transaction failed: ${included.raw_log}`);
  return { gas: Number(included.gas_used), bytes: bytes.length };
}
