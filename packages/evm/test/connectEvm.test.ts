import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHardhatProvider, startHardhat, type LocalNode } from "@vipscore/localnet";
import { encodeDeployData, getContractAddress, numberToHex } from "viem";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connectEvm, readChainId } from "../src/index.ts";
import {
  accountOf,
  deployCode,
  deployer,
  deployShape,
  operator,
  readRows,
  rowsOf,
  stageOne,
  writeRows,
} from "./testContract.ts";

const address = "0x8E88A58b6912513002Ec36023CBCe51106ee3573";

describe("a live node", () => {
  let node: LocalNode;
  beforeAll(async () => {
    node = await startHardhat();
  });
  afterAll(() => node.stop());

  test("the chain id is read, and checked where one is expected", async () => {
    const { rpcUrl } = node;
    expect(await readChainId({ rpcUrl })).toBe(31337n);
    expect(await readChainId({ rpcUrl, expectedChainId: 31337n })).toBe(31337n);
    await expect(readChainId({ rpcUrl, expectedChainId: 1n })).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
    const connecting = connectEvm({ rpcUrl, address, expectedChainId: 1n });
    await expect(connecting).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
  });

  test.each([
    ["an address without code", address],
    ["an account of a person", operator.address],
    ["a precompiled contract", "0x0000000000000000000000000000000000000004"],
  ])("%s is no scoring contract", async (_, where) => {
    const connecting = connectEvm({ rpcUrl: node.rpcUrl, address: where });
    await expect(connecting).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  // Twelve bytes that give the bytes after them as the contract's code.
  const creationOf = (code: string) => {
    const length = (code.length / 2).toString(16).padStart(2, "0");
    return `0x60${length}600c60003960${length}6000f3${code}` as const;
  };
  test.each([
    ["one that reverts", "60006000fd"],
    ["one that stops without an answer", "00"],
    ["one that answers 1 to everything", "600160005260206000f3"],
    ["one that answers 0 to everything", "60206000f3"],
    ["one that answers 33 bytes", "600160005260216000f3"],
    ["one with a faulty instruction", "fe"],
  ])("another contract is no scoring contract: %s", async (_, code) => {
    const where = await deployCode(node.rpcUrl, creationOf(code));
    const connecting = connectEvm({ rpcUrl: node.rpcUrl, address: where });
    await expect(connecting).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  });

  test.each([
    ["too short", "0x8E88A58b6912513002Ec36023CBCe51106ee35"],
    ["without 0x", "8E88A58b6912513002Ec36023CBCe51106ee3573"],
    ["with a wrong checksum", "0x8E88A58b6912513002Ec36023CBCe51106ee357a"],
    ["in bech32", "init138yy4c4fzfgnqqhvxcprhj39zphwx4hndlg6hm"],
  ])("an address %s is refused before anything is asked", async (_, text) => {
    const connecting = connectEvm({ rpcUrl: "http://127.0.0.1:9", address: text });
    await expect(connecting).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("an address in one case is the same address", async () => {
    const contract = await deployShape(node.rpcUrl, "reference");
    const lower = contract.identity.address.toLowerCase();
    const upper = `0x${lower.slice(2).toUpperCase()}`;
    for (const text of [lower, upper]) {
      const again = await connectEvm({ rpcUrl: node.rpcUrl, address: text });
      expect(again.identity).toEqual(contract.identity);
    }
  });

  test("a height before the contract has no contract; one that is not there yet is waited for", async () => {
    const contract = await deployShape(node.rpcUrl, "ours");
    await expect(contract.getStage(stageOne, { height: 0n })).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
    const height = (await contract.getHeight()) + 1000n;
    await expect(contract.getScore(stageOne, accountOf(1), { height })).rejects.toMatchObject({ code: "NODE_BEHIND" });
  });

  test("an abort ends reading between pages with the caller's reason", async () => {
    const contract = await deployShape(node.rpcUrl, "reference");
    await writeRows(contract, rowsOf(1500));
    const caller = new AbortController();
    const reason = new Error("enough");
    const read = async () => {
      const height = await contract.getHeight();
      for await (const _ of contract.getScores(stageOne, { height, signal: caller.signal })) caller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });
});

test("a Hardhat network in this process is reached without a port", async () => {
  const provider = await createHardhatProvider();
  try {
    const { abi, bytecode } = inject("contracts").reference;
    const data = encodeDeployData({ abi, bytecode, args: [1n] });
    const transaction = { from: deployer.address, data, gas: numberToHex(3_000_000n) };
    await provider.request({ method: "eth_sendTransaction", params: [transaction] });
    const where = getContractAddress({ from: deployer.address, nonce: 0n });
    const contract = await connectEvm({ provider, address: where, account: deployer, expectedChainId: 31337n });
    await writeRows(contract, rowsOf(3));
    expect(await readRows(contract)).toEqual(rowsOf(3));
  } finally {
    await provider.close();
  }
});

describe("an endpoint that is no node", () => {
  let server: Server;
  let rpcUrl: string;
  let answer: "page" | "silence" = "page";
  let requests = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      if (answer === "page") response.end("<!doctype html><title>Welcome</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("a web page is not JSON-RPC", async () => {
    answer = "page";
    await expect(connectEvm({ rpcUrl, address })).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("an abort ends waiting for silence with the caller's reason", async () => {
    answer = "silence";
    requests = 0;
    const caller = new AbortController();
    const connecting = connectEvm({ rpcUrl, address, signal: caller.signal });
    await expect.poll(() => requests).toBe(1);
    const reason = new Error("enough");
    caller.abort(reason);
    await expect(connecting).rejects.toBe(reason);
  });

  test("nobody at the port: the endpoint does not answer", async () => {
    const connecting = connectEvm({ rpcUrl: "http://127.0.0.1:1", address });
    await expect(connecting).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  });
});
