import { expect, test } from "vitest";
import { messageOfJson } from "./signMessage.ts";

const call = { module_address: "0x1", module_name: "vip", function_name: "f", type_args: [], args: ["AQ=="] };
const execute = { "@type": "/initia.move.v1.MsgExecute", sender: "init1a", ...call };
const governed = { "@type": "/initia.move.v1.MsgGovExecute", authority: "init1g", sender: "init1a", ...call };
const deposit = { denom: "uinit", amount: "1" };
const proposal = {
  "@type": "/cosmos.gov.v1.MsgSubmitProposal",
  messages: [governed],
  initial_deposit: [deposit],
  proposer: "init1p",
  metadata: "",
  title: "Title",
  summary: "Summary",
};

test.each([execute, proposal, { ...proposal, expedited: true }])(
  "a message has the JSON that it was made of: $@type",
  (json) => {
    const message = messageOfJson(json);
    expect(message.typeUrl).toBe(json["@type"]);
    expect(message.json()).toEqual(json);
  },
);

test.each([
  ["another type", { ...execute, "@type": "/initia.move.v1.MsgScript" }],
  ["a message that only governance signs", governed],
  ["a type that every object has", { ...execute, "@type": "constructor" }],
  ["a field that is not signed", { ...proposal, memo: "m" }],
  ["another value than true", { ...proposal, expedited: "yes" }],
  ["a field that is not signed, in a proposed message", { ...proposal, messages: [{ ...governed, memo: "m" }] }],
  ["a field that is not signed, in a coin", { ...proposal, initial_deposit: [{ ...deposit, memo: "m" }] }],
  ["another proposed type", { ...proposal, messages: [execute] }],
  ["a missing field", { ...execute, sender: undefined }],
  ["a number instead of text", { ...execute, function_name: 7 }],
  ["text instead of a list", { ...execute, args: "AQ==" }],
  ["text instead of an object", { ...proposal, initial_deposit: ["1uinit"] }],
  ["another spelling of base64", { ...execute, args: ["AQ"] }],
])("%s: refused", (_, json) => {
  expect(() => messageOfJson(json)).toThrow(RangeError);
});
