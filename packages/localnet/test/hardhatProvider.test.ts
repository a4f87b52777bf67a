import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { keccak256 } from "viem";
import { expect, test } from "vitest";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { createHardhatProvider, testAccounts } from "../src/index.ts";
import { signTransfer } from "./evmClient.ts";

test("a chain in this process answers without a port and ends", async () => {
  const chain = await createHardhatProvider();
  const raw = await signTransfer(0);
  expect(await chain.request({ method: "eth_sendRawTransaction", params: [raw] })).toBe(keccak256(raw));
  expect(await chain.request({ method: "eth_blockNumber" })).toBe("0x1");
  await chain.close();
  await chain.close();
  await expect(chain.request({ method: "eth_blockNumber" })).rejects.toBeInstanceOf(Error);
});

test("an error carries the node's code and data", async () => {
  await using chain = await createHardhatProvider();
  // PUSH4 0xdeadbeef PUSH0 MSTORE PUSH1 4 PUSH1 28 REVERT
  const call = { data: "0x63deadbeef5f526004601cfd" };
  await expect(chain.request({ method: "eth_call", params: [call, "latest"] })).rejects.toMatchObject({
    code: 3,
    data: "0xdeadbeef",
  });
  const ahead = await signTransfer(5);
  await expect(chain.request({ method: "eth_sendRawTransaction", params: [ahead] })).rejects.toMatchObject({
    code: -32000,
  });
});

test("a broadcast waits while a block is executed, as on a rollup's node", async () => {
  await using chain = await createHardhatProvider({ freeGas: true, blockTimeMs: 3_600_000 });
  const send = async (raw: `0x${string}`) => chain.request({ method: "eth_sendRawTransaction", params: [raw] });
  await send(await signTransfer(0, { fee: 0n, gas: 1_000_000n, to: null, data: "0x5b5f56" }));
  const raw = await signTransfer(1, { fee: 0n });
  const order: string[] = [];
  const note = (what: string) => () => order.push(what);
  await Promise.all([chain.request({ method: "evm_mine" }).then(note("block")), send(raw).then(note("broadcast"))]);
  expect(order).toEqual(["block", "broadcast"]);
});

test("one transaction may use 16,777,216 gas and no more", async () => {
  await using chain = await createHardhatProvider();
  const send = async (gas: bigint) =>
    chain.request({ method: "eth_sendRawTransaction", params: [await signTransfer(0, { gas })] });
  await expect(send(16_777_217n)).rejects.toMatchObject({ code: -32000 });
  expect(await send(16_777_216n)).toMatch(/^0x/);
});

test("with free gas, transactions cost nothing, in every block", async () => {
  await using chain = await createHardhatProvider({ freeGas: true, blockTimeMs: 20 });
  const raws = [
    // Init code that runs until its gas is used up: JUMPDEST PUSH0 JUMP.
    await signTransfer(0, { fee: 0n, gas: 1_000_000n, to: null, data: "0x5b5f56" }),
    await signTransfer(1, { fee: 0n }),
  ];
  for (const raw of raws) await chain.request({ method: "eth_sendRawTransaction", params: [raw] });
  const receipts = [];
  for (const raw of raws) {
    const request = { method: "eth_getTransactionReceipt", params: [keccak256(raw)] };
    receipts.push(await until("the receipt", () => chain.request(request)));
  }
  expect(receipts).toMatchObject([{ status: "0x0", gasUsed: "0xf4240", effectiveGasPrice: "0x0" }, { status: "0x1" }]);
  const balance = await chain.request({ method: "eth_getBalance", params: [testAccounts.deployer.address, "latest"] });
  expect(BigInt(balance as string)).toBe(10n ** 22n - 1n);
  const block = await chain.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
  expect(block).toMatchObject({ baseFeePerGas: "0x0" });
});

test("it starts from a folder outside any project and leaves nothing there", () => {
  const dir = temporaryFolder();
  const program = `
    const { startHardhat } = await import(${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)});
    const node = await startHardhat();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
    console.log(await (await fetch(node.rpcUrl, { method: "POST", body })).text());
    await node.stop();`;
  const run = spawnSync(process.execPath, ["--conditions=@vipscore/source", "--input-type=module", "-e", program], {
    cwd: dir,
    encoding: "utf8",
    // Exiting by itself shows that a stopped node leaves no timer, socket or thread.
    timeout: hangBoundMs,
  });
  expect({ out: run.stdout, status: run.status, signal: run.signal }).toEqual({
    out: '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}\n',
    status: 0,
    signal: null,
  });
  expect(readdirSync(dir)).toEqual([]);
});
