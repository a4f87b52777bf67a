import { expect, test } from "vitest";
import { parseAccount, type FeeQuote, type ScoreContract } from "@vipscore/core";
import { senderOf, unsignedCallJson } from "./transactionJson.ts";

const message = { "@type": "/initia.move.v1.MsgExecute", sender: "init1abc" };
const call = { kind: "acceptOwnership" } as const;

/** The part of a contract that an unsigned call asks. */
function contractWith(gasPrice: FeeQuote["gasPrice"], signer?: ScoreContract["signer"]): ScoreContract {
  const fees = { balance: 0n, gasPrice, token: { symbol: "umin", decimals: 0 } };
  return { signer, getCallGas: () => 100_000n, getFees: () => Promise.resolve(fees) } as unknown as ScoreContract;
}

test("an unsigned call has gas for the signatures of a multisig, and the fee for it", async () => {
  const { body, auth_info } = await unsignedCallJson(contractWith({ amount: 15n, per: 1000n }), call, message);
  expect(body.messages).toEqual([message]);
  expect(auth_info.fee).toMatchObject({ gas_limit: "125000", amount: [{ denom: "umin", amount: "1875" }] });
});

test("on a chain without fees, it pays nothing", async () => {
  const { auth_info } = await unsignedCallJson(contractWith({ amount: 0n, per: 1n }), call, message);
  expect(auth_info.fee.amount).toEqual([]);
});

test("the sender is the connection's account, which must be there", () => {
  const free = { amount: 0n, per: 1n };
  const account = parseAccount(`0x${"ab".repeat(20)}`, { accountBytes: [20] });
  expect(senderOf(contractWith(free, account))).toBe(account);
  expect(() => senderOf(contractWith(free))).toThrow(expect.objectContaining({ code: "KEY_INVALID" }));
});
