import { expect, test } from "vitest";
import { unsignedTransactionJson } from "./transactionJson.ts";

const message = { "@type": "/initia.move.v1.MsgExecute", sender: "init1abc" };

test("a transaction has gas and fee as text, and no signature", () => {
  const { body, auth_info, signatures } = unsignedTransactionJson({
    messages: [message],
    gas: 200_000n,
    fee: { denom: "umin", amount: 3_000n },
  });
  expect(body.messages).toEqual([message]);
  expect(auth_info.fee).toEqual({
    amount: [{ denom: "umin", amount: "3000" }],
    gas_limit: "200000",
    payer: "",
    granter: "",
  });
  expect([...auth_info.signer_infos, ...signatures]).toEqual([]);
});

test("a transaction without a fee names no coins", () => {
  expect(unsignedTransactionJson({ messages: [message], gas: 1n }).auth_info.fee.amount).toEqual([]);
});
