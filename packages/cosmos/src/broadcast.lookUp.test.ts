import { expect, test } from "vitest";
import { openRest, type OpenRestOptions } from "@vipscore/core/wire";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { openTransport } from "./broadcast.ts";
import type { Refusal } from "./refusals.ts";

const hash = "AB".repeat(32);

const parseFailure = ({ log }: Pick<Refusal, "log">) => ({ code: "STAGE_FINALIZED", details: log }) as const;

async function look(answers: readonly ScriptedAnswer[], options: OpenRestOptions = {}) {
  const { url } = await script({ [`/cosmos/tx/v1beta1/txs/${hash}`]: answers });
  return openTransport(openRest(url, options), parseFailure).find(hash, undefined);
}

const result = (fields: object): ScriptedAnswer => ({
  body: { tx: {}, tx_response: { height: "5352", gas_used: "50199", gas_wanted: "300000", ...fields } },
});
const included = result({ code: 0, codespace: "", raw_log: "" });
const status = { state: "included", succeeded: true, height: 5352n, gasUsed: 50_199n };
const failed = { state: "included", succeeded: false, height: 5352n, gasUsed: 50_199n };

test("unknown, then included", async () => {
  expect(await look([refusal(`tx not found: ${hash}`, 5, 404)])).toEqual({ state: "unknown" });
  expect(await look([included])).toEqual(status);
});

test("a failure as minimove answers it", async () => {
  const raw_log =
    "failed to execute message; message index: 0: VM aborted: location=000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475::vip_score, code=65544";
  expect(await look([result({ code: 1, codespace: "undefined", raw_log })])).toMatchObject({
    ...failed,
    code: "STAGE_FINALIZED",
    details: raw_log,
  });
});

test("out of gas before the VM", async () => {
  const raw_log = "out of gas in location: WritePerByte; gasWanted: 1, gasUsed: 2: out of gas";
  expect(await look([result({ code: 11, codespace: "sdk", raw_log })])).toMatchObject({ ...failed, details: raw_log });
});

test("an endpoint that fails is not a failed transaction", async () => {
  const down = look([{ status: 502, body: "" }], { patienceMs: 100 });
  await expect(down).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  await expect(look([result({ code: "0" })])).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  await expect(look([result({ code: 0, height: 5 })])).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("a result that is unreadable once is read again", async () => {
  expect(await look([{ body: { tx: {}, tx_response: null } }, included])).toEqual(status);
});
