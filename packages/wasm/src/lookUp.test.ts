import { stopScripts } from "@vipscore/testkit/scriptedServer";
import { afterEach, expect, test } from "vitest";
import { failure, raw, result, scriptNode, type Reply } from "../test/scriptedNode.ts";
import { openComet } from "./cometRpc.ts";
import { lookUp } from "./lookUp.ts";

afterEach(stopScripts);

const hash = "AB".repeat(32);

async function look(reply: Reply) {
  const { url } = await scriptNode({ tx: [reply] });
  return lookUp(openComet(url, 100), hash, undefined);
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

test("a failure as miniwasm answers it", async () => {
  const log =
    "failed to execute message; message index: 0: Generic error: Stage not found: execute wasm contract failed";
  expect(await look(receipt({ code: 5, codespace: "wasm", log }))).toEqual({
    ...failed,
    code: "STAGE_NOT_FOUND",
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
  await expect(look(raw({ status: 502, body: "" }))).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  await expect(look(failure("transaction indexing is disabled"))).rejects.toMatchObject({ code: "NODE_ERROR" });
  await expect(look(receipt({ code: "0", log: "" }))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  await expect(look(receipt({ code: 0, gas_used: "much" }))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  await expect(look(result({}))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});
