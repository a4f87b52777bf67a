// Whatever a node sends, a reader takes it or refuses it.
import { expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { Answer } from "@vipscore/core/wire";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { parseExact } from "./contractReader.ts";
import { parseFailure } from "./parseFailure.ts";
import { parseContractAddress } from "./wasmAddress.ts";

const contract = formatBech32(parseAccount(`0x${"c1".repeat(32)}`, { accountBytes: [32] }));

test("the answer of a query, whose numbers are exact", async () => {
  const page = '{"scores":[{"stage":1,"addr":"init1ch49","score":18446744073709551615}]}';
  const read = (text: string): void => {
    const answer = new Answer({ endpoint: "http://node", title: "query" }, text).json(parseExact);
    for (const row of answer.field("scores").list()) row.field("score").u64();
  };
  expect(await fuzzReader([page], read)).toBeGreaterThan(0);
});

test("the text of a failed transaction", async () => {
  const log = "failed to execute message; message index: 0: the stage is finalized: execute wasm contract failed";
  const read = (text: string): void => {
    expect(parseFailure({ codespace: "wasm", code: 5, log: text })).toHaveProperty("details");
  };
  expect(await fuzzReader([log, "out of gas in location: wasm contract"], read, () => false)).toBeGreaterThan(0);
});

test("an address", async () => {
  expect(await fuzzReader([contract], parseContractAddress)).toBeGreaterThan(0);
});
