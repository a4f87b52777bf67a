import { expect, test } from "vitest";
import { aminoDocument, encodeAmino } from "./aminoAccount.ts";
import type { AminoMessage, UnsignedTransaction } from "./cosmosAccount.ts";

const unsigned = { chainId: "chain-1", accountNumber: 7n, sequence: 5n, gas: 100_000n, fee: undefined };

function documentOf(value: object, fee?: UnsignedTransaction["fee"]): string {
  const amino = (): AminoMessage => ({ type: "test/Msg", value });
  const message = { typeUrl: "/test.Msg", value: new Uint8Array(), amino };
  return Buffer.from(encodeAmino(aminoDocument({ ...unsigned, message, fee }))).toString();
}

test("the fields are in alphabetical order, without white space", () => {
  expect(documentOf({ b: "x", a: [{ d: 1, c: null }] }, { denom: "umin", amount: 1500n })).toBe(
    `{"account_number":"7","chain_id":"chain-1","fee":{"amount":[{"amount":"1500","denom":"umin"}],"gas":"100000"},` +
      `"memo":"","msgs":[{"type":"test/Msg","value":{"a":[{"c":null,"d":1}],"b":"x"}}],"sequence":"5"}`,
  );
});

test("names that are numbers are sorted as text, as in Go", () => {
  expect(documentOf({ 9: "", 10: "" })).toContain(`"value":{"10":"","9":""}`);
});

test("a field without a value is left out", () => {
  expect(documentOf({ a: undefined, b: [] })).toContain(`"value":{"b":[]}`);
});

test("the characters that Go escapes are escaped, others are not", () => {
  const escaped = String.raw`"\u003ca\u003e \u0026 \u2028\u2029 é\n\""`;
  expect(documentOf({ text: '<a> & \u2028\u2029 é\n"' })).toContain(`"value":{"text":${escaped}}`);
});

test("a message without an amino form is refused", () => {
  const message = { typeUrl: "/cosmos.bank.v1beta1.MsgSend", value: new Uint8Array() };
  expect(() => aminoDocument({ ...unsigned, message })).toThrow("MsgSend");
});
