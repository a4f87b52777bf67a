import { createServer, type AddressInfo } from "node:net";
import { keccak256 } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { startHardhat, testAccounts } from "../src/index.ts";
import { connect, expectPortFree, signTransfer, type Rpc } from "./evmClient.ts";

describe("a local Hardhat node", () => {
  const node = started(() => startHardhat());
  let rpc: Rpc;
  let nonce = 0;

  beforeAll(async () => {
    rpc = connect(node.rpcUrl);
  });

  test("reports its accounts", async () => {
    expect(node).toMatchObject({ vm: "evm", chainId: "31337", accounts: Object.values(testAccounts) });
    expect(node.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await rpc("eth_chainId")).toBe("0x7a69");
    expect(await rpc("web3_clientVersion")).toMatch(/hardhat/i);
  });

  test("has funded both test accounts with 10,000 coins", async () => {
    for (const { address } of node.accounts) {
      expect(BigInt((await rpc("eth_getBalance", [address, "latest"])) as string)).toBe(10n ** 22n);
    }
  });

  test("runs cancun with 150,000,000 gas a block", async () => {
    const block = (await rpc("eth_getBlockByNumber", ["latest", false])) as Record<string, string>;
    expect(BigInt(block["gasLimit"] ?? 0)).toBe(150_000_000n);
    expect(block["blobGasUsed"]).toBe("0x0");
    // Cancun has MCOPY (PUSH0 PUSH0 PUSH0 MCOPY STOP) but not the CLZ of Osaka (PUSH0 CLZ STOP).
    expect(await rpc("eth_call", [{ data: "0x5f5f5f5e00" }, "latest"])).toBe("0x");
    await expect(rpc("eth_call", [{ data: "0x5f1e00" }, "latest"])).rejects.toHaveProperty("code");
  });

  test("mines a transaction immediately", async () => {
    const hash = await rpc("eth_sendRawTransaction", [await signTransfer(nonce++)]);
    const receipt = await until("the receipt", () => rpc("eth_getTransactionReceipt", [hash]));
    expect(receipt).toMatchObject({ status: "0x1", gasUsed: "0x5208" });
  });

  test("accepts a reverting transaction and shows it in the receipt", async () => {
    // The contract is created by PUSH0 PUSH0 REVERT, so creating it reverts.
    const raw = await signTransfer(nonce++, { to: null, data: "0x5f5ffd" });
    expect(await rpc("eth_sendRawTransaction", [raw])).toBe(keccak256(raw));
    const receipt = await until("the receipt", () => rpc("eth_getTransactionReceipt", [keccak256(raw)]));
    expect(receipt).toMatchObject({ status: "0x0" });
  });

  test("accepts a transaction of 16,777,216 gas with 120 kB of data", async () => {
    const raw = await signTransfer(nonce++, { gas: 16_777_216n, data: `0x${"11".repeat(120_000)}` });
    await rpc("eth_sendRawTransaction", [raw]);
    expect(await until("the receipt", () => rpc("eth_getTransactionReceipt", [keccak256(raw)]))).toMatchObject({
      status: "0x1",
    });
  });

  test("answers about an earlier block", async () => {
    const before = await rpc("eth_blockNumber");
    const balance = await rpc("eth_getBalance", [testAccounts.operator.address, before]);
    const raw = await signTransfer(nonce++);
    await rpc("eth_sendRawTransaction", [raw]);
    await until("the receipt", () => rpc("eth_getTransactionReceipt", [keccak256(raw)]));
    expect(await rpc("eth_getBalance", [testAccounts.operator.address, before])).toBe(balance);
    expect(await rpc("eth_getBalance", [testAccounts.operator.address, "latest"])).not.toBe(balance);
  });

  test("two nodes are two separate chains", async () => {
    await using second = await startHardhat();
    expect(second.rpcUrl).not.toBe(node.rpcUrl);
    expect(await connect(second.rpcUrl)("eth_getTransactionCount", [testAccounts.deployer.address, "latest"])).toBe(
      "0x0",
    );
  });

  test("keeps a block interval, and waits for a gap in the sequences to fill", async () => {
    await using slow = await startHardhat({ blockTimeMs: 100 });
    const ask = connect(slow.rpcUrl);
    const [first, second] = [await signTransfer(0), await signTransfer(1)];
    await ask("eth_sendRawTransaction", [second]);
    await until("block 2", async () => BigInt((await ask("eth_blockNumber")) as string) >= 2n);
    expect(await ask("eth_getTransactionReceipt", [keccak256(second)])).toBeNull();
    await ask("eth_sendRawTransaction", [first]);
    for (const raw of [first, second]) {
      const receipt = await until("the receipt", () => ask("eth_getTransactionReceipt", [keccak256(raw)]));
      expect(receipt).toMatchObject({ status: "0x1" });
    }
  });

  test("stops: the port is free, and stopping again does nothing", async () => {
    const short = await startHardhat();
    await short.stop();
    await short.stop();
    await expect(connect(short.rpcUrl)("eth_chainId")).rejects.toThrow(TypeError);
    await expectPortFree(short.rpcUrl);
  });

  test("listens on the requested port, again after a stop", async () => {
    const first = await startHardhat();
    await first.stop();
    await using again = await startHardhat({ port: Number(new URL(first.rpcUrl).port) });
    expect(again.rpcUrl).toBe(first.rpcUrl);
  });

  test("a port in use is an error that names it", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", () => resolve()));
    const { port } = other.address() as AddressInfo;
    await expect(startHardhat({ port })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      shortMessage: expect.stringContaining(`port ${port} `) as string,
    });
    other.close();
  });

  test.each([{ port: 70_000 }, { port: -1 }, { blockTimeMs: 0 }, { blockTimeMs: 0.5 }])(
    "%j is refused",
    async (options) => {
      await expect(startHardhat(options)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    },
  );
});
