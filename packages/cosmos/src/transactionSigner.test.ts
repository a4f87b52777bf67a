import { expect, test } from "vitest";
import { BroadcastError, parseAccount } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { refusal, script } from "@vipscore/testkit/scriptedServer";
import type { UnsignedTransaction } from "./cosmosAccount.ts";
import type { Coin } from "./gasPrice.ts";
import { TransactionSigner } from "./transactionSigner.ts";

const address = `0x${"ab".repeat(20)}`;
const message = { typeUrl: "/cosmos.bank.v1beta1.MsgSend", value: new Uint8Array() };

/** A signer on a chain whose price can be changed; an empty one: gas is free. */
async function signerOn(chain: { price: string; balances?: readonly Coin[]; isUnknown?: boolean }, canQueue = true) {
  const config = "/cosmos/base/node/v1beta1/config";
  const { url, requests } = await script(({ path }) => {
    if (path.startsWith("/cosmos/auth/v1beta1/account_info/")) {
      return chain.isUnknown ? refusal("unknown", 5, 404) : { body: { info: { account_number: "1", sequence: "0" } } };
    }
    if (path === config) return { body: { minimum_gas_price: chain.price } };
    const balances = (chain.balances ?? []).map(({ denom, amount }) => ({ denom, amount: `${amount}` }));
    return path.startsWith("/cosmos/bank/") ? { body: { balances } } : undefined;
  });
  const signer = new TransactionSigner(openRest(url), {
    chainId: "chain-1",
    gasPrice: undefined,
    account: {
      address,
      account: parseAccount(address, { accountBytes: [20] }),
      canQueue,
      signTransaction: ({ fee, isQueued }: UnsignedTransaction) =>
        Promise.resolve(Buffer.from(`fee ${fee?.amount}${isQueued === true ? " queued" : ""}`)),
    },
  });
  const feeNow = async () => {
    const transaction = await signer.sign(message, { sequence: 0n, gas: 100n });
    return { transaction, fee: Buffer.from(transaction.bytes).toString() };
  };
  return { signer, feeNow, priceReads: () => requests.filter(({ path }) => path === config).length };
}

test("only a refused fee causes the price to be read again", async () => {
  const chain = { price: "1umin" };
  const { signer, feeNow, priceReads } = await signerOn(chain);
  const { transaction, fee } = await feeNow();
  expect(fee).toBe("fee 100");
  chain.price = "3umin";
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "other" }));
  expect((await feeNow()).fee).toBe("fee 100");
  expect(priceReads()).toBe(1);
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "fee" }));
  expect((await feeNow()).fee).toBe("fee 300");
  expect(priceReads()).toBe(2);
});

test("an account that a node forgets between two answers keeps its number", async () => {
  const chain = { price: "", isUnknown: false };
  const { signer, feeNow } = await signerOn(chain);
  await signer.readSequence({});
  chain.isUnknown = true;
  expect(await signer.readSequence({})).toBe(0n);
  await feeNow();
});

test("an account that no answer knows signs nothing", async () => {
  const { feeNow } = await signerOn({ price: "", isUnknown: true });
  await expect(feeNow()).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
});

test("a fee above the maximum is refused before it is signed, and the signed fee is returned", async () => {
  const chain = { price: "3umin" };
  const { signer } = await signerOn(chain);
  const sign = (maxFee: bigint) => signer.sign(message, { sequence: 0n, gas: 100n, maxFee });
  expect(await sign(300n)).toMatchObject({ fee: 300n });
  await expect(sign(299n)).rejects.toMatchObject({ code: "FEE_LIMIT" });
  chain.price = "300umin";
  signer.noteRefusal(await sign(300n), new BroadcastError("no", { refusal: "fee" }));
  await expect(sign(300n)).rejects.toMatchObject({ code: "FEE_LIMIT" });
});

test.each([true, false])("the extension is signed only by an account that can: %s", async (canQueue) => {
  const { signer, feeNow } = await signerOn({ price: "1umin" }, canQueue);
  const { transaction } = await feeNow();
  const details = "expected 42, got 43; use extension option /initia.tx.v1.ExtensionOptionQueuedTx for queued tx";
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "other", details }));
  expect((await feeNow()).fee).toBe(canQueue ? "fee 100 queued" : "fee 100");
  expect(transaction.hasOtherForm ?? true).toBe(canQueue);
});

test("the fees are those of the price, and the next sequence is that of a refusal", async () => {
  const { signer, feeNow } = await signerOn({ price: "0.015umin" });
  expect(await signer.readFees(undefined)).toEqual({
    balance: 0n,
    gasPrice: { amount: 15n, per: 1000n },
    token: { symbol: "umin", decimals: 0 },
  });
  expect(await signer.readSequence({})).toBe(0n);
  const { transaction } = await feeNow();
  signer.noteRefusal(transaction, new BroadcastError("no", { refusal: "sequence", details: "expected 4, got 0" }));
  expect(await signer.readSequence({})).toBe(4n);
});

test("the balance is in the price's denomination, or in the first one available", async () => {
  const balances = [
    { denom: "l2/5eb0c0", amount: 2n ** 64n - 1n },
    { denom: "umin", amount: 7n },
  ];
  const balanceOf = async (price: string, held: readonly Coin[]) => {
    const { balance, token } = await (await signerOn({ price, balances: held })).signer.readFees(undefined);
    return { balance, denom: token.symbol };
  };
  expect(await balanceOf("1umin", balances)).toEqual({ balance: 7n, denom: "umin" });
  expect(await balanceOf("1uinit", balances)).toEqual({ balance: 0n, denom: "uinit" });
  expect(await balanceOf("", balances)).toEqual({ balance: 2n ** 64n - 1n, denom: "l2/5eb0c0" });
  expect(await balanceOf("", [])).toEqual({ balance: 0n, denom: "umin" });
});
