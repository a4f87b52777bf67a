import { secp256k1 } from "@noble/curves/secp256k1";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { describe, expect, test } from "vitest";
import { readRemoteKeys } from "@vipscore/core/keys";
import { aminoKey } from "@vipscore/testkit/adapter/aminoKey";
import { playWeb3signer } from "@vipscore/testkit/playWeb3signer";
import { aminoAccount, aminoDocument, encodeAmino } from "./aminoAccount.ts";
import type { CosmosAccount, UnsignedTransaction } from "./cosmosAccount.ts";
import { keyAccount, keyKinds } from "./keyAccount.ts";
import { encodeSignDoc } from "./transactionBytes.ts";
import { signedTransactionJson } from "./transactionJson.ts";
import { queuedTxTypeUrl } from "./transactionSigner.ts";

// That other programs make the same bytes is what signedBytes.test.ts of @vipscore/move and @vipscore/wasm show.

const typeUrl = MsgSend.typeUrl;
const unsigned: UnsignedTransaction = {
  message: { typeUrl, value: Uint8Array.of(1, 2), amino: () => ({ type: "cosmos-sdk/MsgSend", value: {} }) },
  chainId: "chain-1",
  accountNumber: 7n,
  sequence: 2n ** 60n,
  gas: 2n ** 62n,
  fee: { denom: "umin", amount: 2n ** 70n },
};

/** A transaction's parts, decoded. */
async function signed(account: CosmosAccount, more: Partial<UnsignedTransaction> = {}) {
  const bytes = await account.signTransaction({ ...unsigned, ...more });
  const raw = TxRaw.decode(bytes);
  return { bytes, raw, body: TxBody.decode(raw.bodyBytes), auth: AuthInfo.decode(raw.authInfoBytes) };
}

test("a remote key makes the bytes of the same key here, and its transactions can be queued", async () => {
  const key = { privateKey: "0d".repeat(32) };
  const { url } = await playWeb3signer({ keys: [key] });
  const [remote] = await readRemoteKeys(url);
  const account = keyAccount(remote ?? key);
  expect(remote).toMatchObject({ account: account.account });
  expect(account.canQueue).toBe(true);
  const more = { isQueued: true };
  expect((await signed(account, more)).bytes).toEqual((await signed(keyAccount(key), more)).bytes);
});

describe.each([60, 118] as const)("an account of coin type %i", (coinType) => {
  const key = { privateKey: "0d".repeat(32), coinType };
  const point = secp256k1.getPublicKey(key.privateKey, true);
  const { typeUrl: keyType } = keyKinds[coinType];

  test("signs the document of its transaction", async () => {
    const { raw, body, auth } = await signed(keyAccount(key));
    const digest = keyKinds[coinType].digest(encodeSignDoc(raw, unsigned));
    expect(secp256k1.verify(raw.signatures[0]!, digest, point, { lowS: true })).toBe(true);
    expect(body).toMatchObject({ messages: [{ typeUrl, value: Uint8Array.of(1, 2) }], memo: "", extensionOptions: [] });
    const [signer] = auth.signerInfos;
    expect(signer).toMatchObject({ sequence: 2n ** 60n, publicKey: { typeUrl: keyType } });
    expect(PubKey.decode(signer!.publicKey!.value).key).toEqual(point);
    expect(auth.fee).toMatchObject({ gasLimit: 2n ** 62n, amount: [{ denom: "umin", amount: `${2n ** 70n}` }] });
  });

  test("adds the extension and leaves out the fee", async () => {
    const { body, auth } = await signed(keyAccount(key), { isQueued: true, fee: undefined });
    expect(body.extensionOptions).toEqual([{ typeUrl: queuedTxTypeUrl, value: new Uint8Array() }]);
    expect(auth.fee?.amount).toEqual([]);
  });

  test("signs amino JSON with the same address, in the mode of its app", async () => {
    const documents: Uint8Array[] = [];
    const signer = aminoKey(key);
    const account = aminoAccount({
      ...signer,
      maxDocumentBytes: 5_000,
      signAmino: (document) => {
        documents.push(document);
        return signer.signAmino(document);
      },
    });
    const { address, account: hex } = keyAccount(key);
    expect(account).toMatchObject({ address, account: hex, canQueue: false, maxDocumentBytes: 5_000 });
    const { raw, bytes } = await signed(account);
    expect(documents).toEqual([encodeAmino(aminoDocument(unsigned))]);
    const json = signedTransactionJson(bytes, {
      messages: [{ "@type": typeUrl }],
      gas: unsigned.gas,
      fee: unsigned.fee,
    });
    expect(json).toMatchObject({
      body: { messages: [{ "@type": typeUrl }] },
      auth_info: {
        signer_infos: [
          {
            public_key: { "@type": keyType, key: Buffer.from(point).toString("base64") },
            mode_info: { single: { mode: coinType === 60 ? "SIGN_MODE_EIP_191" : "SIGN_MODE_LEGACY_AMINO_JSON" } },
            sequence: `${2n ** 60n}`,
          },
        ],
        fee: { gas_limit: `${2n ** 62n}`, amount: [{ denom: "umin", amount: `${2n ** 70n}` }] },
      },
      signatures: [Buffer.from(raw.signatures[0]!).toString("base64")],
    });
  });
});
