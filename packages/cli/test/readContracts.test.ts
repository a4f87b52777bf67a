import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { readContracts } from "../src/score/readContracts.ts";

const contract = "0x00000000000000000000000000000000000000c0";
const accounts = Array.from(
  { length: 1000 },
  (_, index) => `0x${(0xa0_0000 + index).toString(16).padStart(40, "0")}` as const,
);
const { signal } = new AbortController();

let node: LocalNode;

beforeAll(async () => {
  node = await startHardhat();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hardhat_setCode", params: [contract, "0x6000"] });
  await fetch(node.rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
});
afterAll(() => node.stop());

/** Forwards requests to the node, unless they contain more calls than `maxCalls`. */
async function limitBatches(maxCalls: number, refusal: { readonly status: number; readonly body: unknown }) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const answer = async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const calls: unknown = JSON.parse(body);
      const isRefused = Array.isArray(calls) && calls.length > maxCalls;
      const headers = { "content-type": "application/json" };
      const passed = isRefused ? undefined : await fetch(node.rpcUrl, { method: "POST", headers, body });
      response.writeHead(passed?.status ?? refusal.status, headers);
      response.end(passed === undefined ? JSON.stringify(refusal.body) : await passed.text());
    };
    void answer();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const error = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } });

describe("readContracts", () => {
  test("requests code in batches of 100", async () => {
    const counted = await limitBatches(100, { status: 500, body: {} });
    const progress: number[] = [];
    const found = await readContracts({
      rpcUrl: counted.rpcUrl,
      accounts: [...accounts, contract],
      signal,
      onProgress: (checked) => progress.push(checked),
    });
    counted.stop();
    expect(found).toEqual(new Set([contract]));
    expect(counted.requests()).toBe(11);
    expect(progress).toEqual([400, 800, 1001]);
  });

  test.each([
    ["with an error object", { status: 200, body: error(-32600, "batch requests are not supported") }],
    ["with a list of errors", { status: 200, body: [error(-32600, "batch too large")] }],
    ["with status 400", { status: 400, body: {} }],
    ["with status 413", { status: 413, body: {} }],
  ])("requests code one by one if batches are refused %s", async (_, refusal) => {
    const limited = await limitBatches(0, refusal);
    const found = await readContracts({
      rpcUrl: limited.rpcUrl,
      accounts: [contract, ...accounts.slice(0, 30)],
      signal,
    });
    limited.stop();
    expect(found).toEqual(new Set([contract]));
  });
});
