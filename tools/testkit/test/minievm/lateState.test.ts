import { readFileSync } from "node:fs";
import { getContractAddress, keccak256, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { startMinievm, type MinievmDouble } from "../../src/minievm/startMinievm.ts";

interface Exchange {
  readonly request: { readonly method: string };
  readonly response: { readonly body: { readonly result: unknown } };
}

const recording = JSON.parse(
  readFileSync(new URL("../../src/minievm/recordings/receiptBeforeState.json", import.meta.url), "utf8"),
) as readonly Exchange[];
const stateLagMs = 330;
const deployer = privateKeyToAccount(testAccounts.deployer.privateKey);
const stranger = privateKeyToAccount(generatePrivateKey());
const notThere = { code: -32000, message: "requested height is greater than the latest block height" };
// Creates a contract of one byte, STOP.
const creation = "0x5f5f5360015ff3";

let double: MinievmDouble;
beforeEach(async () => {
  // Uses only the double's clock: the lag passes when a test advances it, on any machine.
  vi.useFakeTimers({ toFake: ["performance"] });
  double = await startMinievm({ blockTimeMs: 3_600_000, stateLagMs });
});
afterEach(async () => {
  vi.useRealTimers();
  await double.stop();
});

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function post(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await fetch(url, { method: "POST", body })).json() as Promise<Answer>;
}
async function result(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const answer = await post(double.rpcUrl, method, params);
  expect(answer.error).toBeUndefined();
  return answer.result;
}
async function mine(): Promise<void> {
  expect(await post(double.upstream.rpcUrl, "evm_mine", [])).not.toHaveProperty("error");
}

interface Transaction {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas?: bigint;
}
function sign(nonce: number, transaction: Transaction, from = deployer): Promise<Hex> {
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  return from.signTransaction({ type: "eip1559", chainId: 31337, nonce, gas: 300_000n, ...fees, ...transaction });
}

/** Describes what an answer says about the block of the deployment, in words that are the same on each chain. */
function meaning(method: string, answer: unknown, { height, nonce }: { height: string; nonce: bigint }): string {
  if (method === "eth_getCode") return answer === "0x" ? "no code" : "code";
  if (method === "eth_getTransactionReceipt") {
    const receipt = answer as { readonly blockNumber: string; readonly status: string } | null;
    return receipt === null
      ? "no receipt"
      : `status ${receipt.status}, ${meaning("", receipt.blockNumber, { height, nonce })}`;
  }
  if (method === "eth_getTransactionCount") return `nonce ${BigInt(String(answer)) - nonce}`;
  if (method === "eth_sendRawTransaction") return /^0x[0-9a-f]{64}$/.test(String(answer)) ? "sent" : String(answer);
  return answer === height ? "its height" : `height ${String(answer)}`;
}

test("the recorded exchanges in their order: the receipt, the height, no code at it, the code at the same height", async () => {
  const contract = getContractAddress({ from: deployer.address, nonce: 0n });
  const deploy = await sign(0, { data: creation });
  const played: string[] = [];
  const play = async (method: string, ...params: readonly unknown[]): Promise<void> => {
    played.push(`${method}: ${meaning(method, await result(method, ...params), { height: "0x1", nonce: 0n })}`);
  };
  const codes = async (): Promise<void> => {
    await play("eth_blockNumber");
    await play("eth_getCode", contract, "latest");
    await play("eth_getCode", contract, "0x1");
  };
  await play("eth_sendRawTransaction", deploy);
  await play("eth_getTransactionReceipt", keccak256(deploy));
  await mine();
  await play("eth_getTransactionReceipt", keccak256(deploy));
  vi.advanceTimersByTime(stateLagMs - 1);
  await codes();
  vi.advanceTimersByTime(1);
  await codes();
  await play("eth_getTransactionCount", deployer.address, "pending");
  await play("eth_sendRawTransaction", await sign(1, { data: creation }));

  // The recorded deployment has nonce 0x442 and is in block 0x1154.
  const recorded = { height: "0x1154", nonce: 0x442n };
  expect(played).toEqual(
    recording.map(
      ({ request: { method }, response }) => `${method}: ${meaning(method, response.body.result, recorded)}`,
    ),
  );
});

test("every read of state comes from before the block, but for the nonce of the mempool's state", async () => {
  const to = stranger.address;
  await result("eth_sendRawTransaction", await sign(0, { to, value: 5n }));
  await mine();
  for (const block of ["latest", "0x1", "safe"]) {
    expect(await result("eth_getBalance", to, block)).toBe("0x0");
    expect(await result("eth_getTransactionCount", deployer.address, block)).toBe("0x0");
  }
  expect(await result("eth_getTransactionCount", deployer.address, "pending")).toBe("0x1");
  // PUSH20 the account, BALANCE, returned as a word.
  const call = { data: `0x73${to.slice(2).toLowerCase()}315f5260205ff3` };
  expect(BigInt(String(await result("eth_call", call, "latest")))).toBe(0n);
  vi.advanceTimersByTime(stateLagMs);
  expect(BigInt(String(await result("eth_call", call, "0x1")))).toBe(5n);
  expect(await result("eth_getBalance", to, "0x0")).toBe("0x0");
});

test("the state of a block is committed once the next block exists", async () => {
  await result("eth_sendRawTransaction", await sign(0, { to: stranger.address, value: 5n }));
  await mine();
  expect(await result("eth_getBalance", stranger.address, "latest")).toBe("0x0");
  await mine();
  expect(await result("eth_getBalance", stranger.address, "latest")).toBe("0x5");
});

test.each([
  ["eth_call", [{}, "0x1"]],
  ["eth_getCode", [deployer.address, "0x1"]],
  ["eth_getBalance", [deployer.address, "0x1"]],
  ["eth_getStorageAt", [deployer.address, "0x0", "0x1"]],
  ["eth_getTransactionCount", [deployer.address, "0x1"]],
  ["eth_estimateGas", [{}, "0x1"]],
])("%s at a height that does not exist is refused with minievm's text", async (method, params) => {
  expect((await post(double.rpcUrl, method, params)).error).toEqual(notThere);
});

test("an account that never received anything does not exist; it does once the state has what it received", async () => {
  const account = formatBech32(parseAccount(stranger.address, { accountBytes: [20] }));
  const unknown = { code: -32000, message: `account ${account} does not exist: unknown address` };
  const own = await sign(0, { data: creation }, stranger);
  const send = () => post(double.rpcUrl, "eth_sendRawTransaction", [own]);
  expect((await send()).error).toEqual(unknown);
  await result("eth_sendRawTransaction", await sign(0, { to: stranger.address, value: 5n }));
  expect((await send()).error).toEqual(unknown);
  await mine();
  expect((await send()).error).toEqual(unknown);
  vi.advanceTimersByTime(stateLagMs);
  expect(await send()).toMatchObject({ result: keccak256(own) });
});

test("a plain transfer with 100,000 gas fails and moves nothing; with 100,001 it succeeds", async () => {
  const before = await result("eth_getBalance", deployer.address, "latest");
  const transfer = (nonce: number, gas: bigint) => sign(nonce, { to: stranger.address, value: 5n, gas });
  const failing = await transfer(0, 100_000n);
  await result("eth_sendRawTransaction", failing);
  await mine();
  expect(await result("eth_getTransactionReceipt", keccak256(failing))).toMatchObject({ status: "0x0" });
  vi.advanceTimersByTime(stateLagMs);
  expect(await result("eth_getBalance", stranger.address, "latest")).toBe("0x0");
  expect(await result("eth_getBalance", deployer.address, "latest")).toBe(before);

  const fine = await transfer(1, 100_001n);
  await result("eth_sendRawTransaction", fine);
  await mine();
  expect(await result("eth_getTransactionReceipt", keccak256(fine))).toMatchObject({ status: "0x1" });
  vi.advanceTimersByTime(stateLagMs);
  expect(await result("eth_getBalance", stranger.address, "latest")).toBe("0x5");
});
