import { expect, test } from "vitest";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { failure, raw, result, scriptNode, type Reply } from "@vipscore/testkit/scriptedNode";
import { openTransport } from "./broadcast.ts";
import type { Refusal } from "./refusals.ts";

const hash = "AB".repeat(32);

const parseFailure = ({ codespace, code, log }: Partial<Refusal>) => ({ details: `${codespace} code ${code}: ${log}` });

async function look(...replies: readonly Reply[]) {
  const { url } = await scriptNode({ tx: replies });
  return openTransport(restOverRpc(openJsonRpc(url, { patienceMs: 3_000 })), parseFailure).find(hash, undefined);
}

/** A transaction in a block, as recorded on miniwasm. */
const receipt = (fields: object): Reply =>
  result({
    hash,
    height: "39241",
    index: 0,
    tx: "CroB",
    tx_result: { data: null, info: "", gas_wanted: "300000", gas_used: "100301", events: [], ...fields },
  });
const failed = { state: "included", succeeded: false, height: 39_241n, gasUsed: 100_301n };

test("unknown, then included", async () => {
  // recorded on vipnode
  expect(await look(failure(`tx (${hash}) not found`))).toEqual({ state: "unknown" });
  const status = { state: "included", succeeded: true, height: 39_241n, gasUsed: 100_301n };
  expect(await look(receipt({ code: 0, log: "", codespace: "" }))).toEqual(status);
});

test("a node without an index", async () => {
  // CometBFT 0.38, rpc/core/tx.go
  expect(await look(failure("transaction indexing is disabled"))).toEqual({ state: "unindexed" });
});

test("a receipt is read again if one answer does not have it", async () => {
  expect(await look(result({}), receipt({ code: "0" }), receipt({ code: 0 }))).toMatchObject({ succeeded: true });
});

test("a failure as miniwasm answers it", async () => {
  const log =
    "failed to execute message; message index: 0: Generic error: Stage not found: execute wasm contract failed";
  expect(await look(receipt({ code: 5, codespace: "wasm", log }))).toEqual({
    ...failed,
    details: `wasm code 5: ${log}`,
  });
});

test("out of gas before the VM", async () => {
  const log = "out of gas in location: WritePerByte; gasWanted: 1, gasUsed: 2: out of gas";
  expect(await look(receipt({ code: 11, codespace: "sdk", log }))).toEqual({
    ...failed,
    details: `sdk code 11: ${log}`,
  });
});

test("an endpoint that fails is not an unknown transaction", async () => {
  const fails = (reply: Reply, code: string) => expect(look(reply)).rejects.toMatchObject({ code });
  await Promise.all([
    fails(raw({ status: 502, body: "" }), "NODE_UNREACHABLE"),
    fails(failure("no transaction"), "NODE_ERROR"),
    fails(receipt({ code: "0", log: "" }), "NODE_BAD_RESPONSE"),
    fails(receipt({ code: 0, gas_used: "much" }), "NODE_BAD_RESPONSE"),
    fails(result({}), "NODE_BAD_RESPONSE"),
  ]);
});
