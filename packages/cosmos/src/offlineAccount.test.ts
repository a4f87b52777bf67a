import { secp256k1 } from "@noble/curves/secp256k1";
import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { describe, expect, test } from "vitest";
import { formatBech32 } from "@vipscore/core";
import { keyAccount } from "./keyAccount.ts";
import { accountOf, offlineAccount, type OfflineAminoSigner, type OfflineDirectSigner } from "./offlineAccount.ts";

const privateKey = "0b".repeat(32);
const pubkey = secp256k1.getPublicKey(privateKey, true);
const { address, account } = keyAccount({ privateKey });
const signature = { signature: Buffer.alloc(64, 7).toString("base64") };
const getAccounts = () => Promise.resolve([{ address, pubkey }]);

const value = { amount: [], from_address: address, to_address: address };
const transaction = {
  message: {
    typeUrl: "/cosmos.bank.v1beta1.MsgSend",
    value: new Uint8Array([1]),
    amino: () => ({ type: "cosmos-sdk/MsgSend", value }),
  },
  chainId: "chain-1",
  accountNumber: 3n,
  sequence: 4n,
  gas: 100n,
  fee: { denom: "umin", amount: 5n },
};

const direct = (change: (document: Parameters<OfflineDirectSigner["signDirect"]>[1]) => typeof document) =>
  offlineAccount({
    getAccounts,
    signDirect: (_, document) => Promise.resolve({ signed: change(document), signature }),
  });
const amino = (change: (document: Parameters<OfflineAminoSigner["signAmino"]>[1]) => typeof document) =>
  offlineAccount({ getAccounts, signAmino: (_, document) => Promise.resolve({ signed: change(document), signature }) });

function authOf(bytes: Uint8Array): AuthInfo {
  return AuthInfo.decode(TxRaw.decode(bytes).authInfoBytes);
}

describe("the first key of a wallet", () => {
  test.each([60, 118] as const)("is recognized by its address, coin type %i", async (coinType) => {
    const expected = keyAccount({ privateKey, coinType });
    const spelled = formatBech32(expected.account, "other");
    let asked = "";
    const wallet = await offlineAccount({
      getAccounts: () => Promise.resolve([{ address: spelled, pubkey }]),
      signDirect: (who, signed) => {
        asked = who;
        return Promise.resolve({ signed, signature });
      },
    });
    expect(wallet).toMatchObject({ address: expected.address, account: expected.account, canQueue: true });
    await wallet.signTransaction(transaction);
    expect(asked).toBe(spelled);
  });

  test.each([
    ["no key", []],
    ["another address", [{ address: formatBech32(account, "init").replace(/.$/, "q"), pubkey }]],
  ])("is refused: %s", async (_, accounts) => {
    const signer = { getAccounts: () => Promise.resolve(accounts), signDirect: () => Promise.reject(new Error("no")) };
    await expect(offlineAccount(signer)).rejects.toMatchObject({ code: "KEY_INVALID" });
  });

  test("is not looked for in an account that signs itself", () => {
    const own = keyAccount({ privateKey });
    expect(accountOf(own)).toBe(own);
  });
});

describe("a wallet may change the fee", () => {
  const fee = { amount: [{ denom: "umin", amount: "9" }], gas: "200" };

  test("in a direct signature", async () => {
    const wallet = await direct((document) => {
      const auth = AuthInfo.decode(document.authInfoBytes);
      const changed = AuthInfo.fromPartial({ ...auth, fee: { amount: fee.amount, gasLimit: 200n } });
      return { ...document, authInfoBytes: AuthInfo.encode(changed).finish() };
    });
    const { signerInfos, fee: paid } = authOf(await wallet.signTransaction(transaction));
    expect(paid).toMatchObject({ amount: fee.amount, gasLimit: 200n });
    expect(signerInfos).toMatchObject([{ sequence: 4n }]);
  });

  test("in amino JSON", async () => {
    const wallet = await amino((document) => ({ ...document, fee }));
    expect(wallet.canQueue).toBe(false);
    const { fee: paid } = authOf(await wallet.signTransaction(transaction));
    expect(paid).toMatchObject({ amount: fee.amount, gasLimit: 200n });
  });
});

describe("a wallet that signs something else is refused", () => {
  test.each([
    ["another message", { bodyBytes: TxBody.encode(TxBody.fromPartial({ memo: "hello" })).finish() }],
    ["another sequence", { authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({})).finish() }],
  ])("%s, direct", async (_, change) => {
    const wallet = await direct((document) => ({ ...document, ...change }));
    await expect(wallet.signTransaction(transaction)).rejects.toMatchObject({ code: "DEVICE_FAILED" });
  });

  test.each([
    ["a memo", { memo: "hello" }],
    ["another sequence", { sequence: "5" }],
    ["a payer of the fee", { fee: { amount: [], gas: "1", payer: address } }],
  ])("%s, amino", async (_, change) => {
    const wallet = await amino((document) => ({ ...document, ...change }));
    await expect(wallet.signTransaction(transaction)).rejects.toMatchObject({ code: "DEVICE_FAILED" });
  });
});

test.each([
  ["Request rejected", "DEVICE_REFUSED"],
  ["port closed", "DEVICE_FAILED"],
])("a wallet that fails with %s is %s", async (text, code) => {
  const wallet = await offlineAccount({ getAccounts, signDirect: () => Promise.reject(new Error(text)) });
  await expect(wallet.signTransaction(transaction)).rejects.toMatchObject({ code, details: text });
});
