import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { openTransport } from "./broadcast.ts";

const from = parseAccount(`0x${"11".repeat(20)}`, { accountBytes: [20] });
const message = { typeUrl: "/initia.move.v1.MsgExecute", value: new Uint8Array() };

/** A node that refuses to serve is asked again for as long as `patienceMs`; one that answers may be slow. */
async function simulate(answer: ScriptedAnswer | undefined, patienceMs = hangBoundMs) {
  const { url } = await script(answer === undefined ? {} : { "/cosmos/tx/v1beta1/simulate": [answer] });
  const { simulate: ask } = openTransport(openRest(url, { patienceMs }), ({ log }) => ({ details: log }));
  return ask(message, { from, sequence: 3n });
}

test.each([
  // recorded on minimove
  [
    "failed to execute message; message index: 0: VM aborted: location=0475::vip_score, code=65540",
    " [initia-labs/cosmos-sdk@v0.50.15-initia.0/baseapp/baseapp.go:1102] with gas used: '230342'",
  ],
  // recorded on miniwasm
  [
    "failed to execute message; message index: 0: Generic error: Address is not allowed: execute wasm contract failed",
    " [initia-labs/wasmd@v0.54.3-initia.1/x/wasm/keeper/keeper.go:472] with gas used: '143711'",
  ],
])("a contract's refusal: %s", async (details, place) => {
  expect(await simulate(refusal(details + place, 2, 500))).toEqual({ state: "refused", details });
});

test.each<[string, ScriptedAnswer | undefined]>([
  ["no such route", undefined],
  ["a service without it", refusal("Not Implemented", 12, 501)],
  ["a gateway that forbids it", { status: 403, body: "forbidden" }],
  ["a failing gateway", { status: 502, body: "" }],
  [
    "too little gas",
    refusal("failed to execute message; message index: 0: out of gas: wasm with gas used: '9'", 2, 500),
  ],
])("says nothing about the contract: %s", async (_, answer) => {
  expect(await simulate(answer, 100)).toEqual({ state: "unknown" });
});

test("another sequence: the node may be behind", async () => {
  const mismatch = "account sequence mismatch, expected 4, got 3: incorrect account sequence with gas used: '9'";
  expect(await simulate(refusal(mismatch, 2, 500))).toEqual({ state: "unknown", isBehind: true });
});
