import { beforeAll, describe, expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { passOn, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { findContracts } from "../src/index.ts";

const contract = "0x00000000000000000000000000000000000000c0";
const accounts = Array.from(
  { length: 1000 },
  (_, index) => `0x${(0xa0_0000 + index).toString(16).padStart(40, "0")}` as const,
);
const { signal } = new AbortController();

const node = started(() => startHardhat());

beforeAll(async () => {
  // An account that delegates to a contract remains an account (EIP-7702).
  for (const params of [
    [contract, "0x6000"],
    [accounts[0], `0xef0100${"11".repeat(20)}`],
  ]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hardhat_setCode", params });
    await fetch(node.rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  }
});

/** Forwards requests to the node, unless they contain more calls than `maxCalls`. */
function limitBatches(maxCalls: number, refusal: ScriptedAnswer) {
  return script((request) => {
    const calls: unknown = JSON.parse(request.body);
    return Array.isArray(calls) && calls.length > maxCalls ? refusal : passOn(node.rpcUrl, request);
  });
}

const error = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } });

describe("findContracts", () => {
  test("requests code in batches of 100", async () => {
    const counted = await limitBatches(100, { status: 500, body: {} });
    const progress: number[] = [];
    const found = await findContracts({ vm: "evm", url: counted.url }, [...accounts, contract], {
      signal,
      onProgress: (checked) => progress.push(checked),
    });
    expect(found).toEqual(new Set([contract]));
    expect(counted.requests).toHaveLength(11);
    expect(progress).toEqual([400, 800, 1001]);
  });

  test.each([
    ["with an error object", { status: 200, body: error(-32600, "batch requests are not supported") }],
    ["with a list of errors", { status: 200, body: [error(-32600, "batch too large")] }],
    ["with status 400", { status: 400, body: {} }],
    ["with status 413", { status: 413, body: {} }],
  ])("requests code one by one if batches are refused %s", async (_, refusal) => {
    const limited = await limitBatches(0, refusal);
    const found = await findContracts({ vm: "evm", url: limited.url }, [contract, ...accounts.slice(0, 30)], {
      signal,
    });
    expect(found).toEqual(new Set([contract]));
  });
});
