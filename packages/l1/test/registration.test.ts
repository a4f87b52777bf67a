import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { startVipnode } from "@vipscore/localnet";
import { refused, scriptNode, state, type Reply } from "@vipscore/testkit/scriptedNode";
import { started } from "@vipscore/testkit/started";
import {
  checkOperator,
  parseRatio,
  readBalance,
  readBridgeInfo,
  readVipOperator,
  readVoteRules,
} from "../src/index.ts";
import { json, serve } from "./l1Server.ts";
import { address, decimal, startL1 } from "./startL1.ts";

const operatorAddress = "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq";
const account = (text: string): ReturnType<typeof parseAccount> => parseAccount(text, { accountBytes: [20, 32] });
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

const l1 = started(() => startL1());

const vip = (): { l1RestUrl: string; vipAddress: string } => ({ l1RestUrl: l1.restUrl, vipAddress: l1.vipAddress });

test("the operator and its commission as they were registered and changed", async () => {
  await l1.call("set_stage", 4n, 0n, 0n);
  const rates = ["0.5", "0.1", "0.05"].map(decimal);
  await l1.govern("register", address(operatorAddress), 7n, address(operatorAddress), "0x1", ...rates, 2n);
  const read = (bridgeId: bigint, version = 1n): ReturnType<typeof readVipOperator> =>
    readVipOperator({ ...vip(), bridgeId, version });
  const commission = { maxRate: parseRatio("0.5"), maxChangeRate: parseRatio("0.1"), rate: parseRatio("0.05") };
  expect(await read(7n)).toEqual({ operator: account(operatorAddress), lastChangedStage: 4n, commission });
  await l1.call("set_stage", 5n, 0n, 0n);
  await l1.call("update_operator_commission", 7n, 1n, decimal("0.15"));
  const changed = { ...commission, rate: parseRatio("0.15") };
  expect(await read(7n)).toMatchObject({ lastChangedStage: 5n, commission: changed });
  await expect(read(8n)).rejects.toThrowError(code("BRIDGE_NOT_REGISTERED"));
  await expect(read(7n, 2n)).rejects.toThrowError(code("BRIDGE_NOT_REGISTERED"));
});

test("an operator is an account that can sign", async () => {
  const check = (text: string): Promise<void> => checkOperator({ l1RestUrl: l1.restUrl, operator: account(text) });
  await check(operatorAddress);
  // An account that L1 has never seen, and governance's own.
  await expect(check(`0x${"c8".repeat(20)}`)).rejects.toThrowError(code("OPERATOR_INVALID"));
  await expect(check("init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3")).rejects.toThrowError(code("OPERATOR_INVALID"));
});

test("the rules of a vote", async () => {
  expect(await readVoteRules({ l1RestUrl: l1.restUrl })).toEqual({
    minimumDeposit: [{ denom: "umin", amount: 10_000_000n }],
    depositPeriodSeconds: 172_800n,
    // Nanoseconds on the local chain.
    votingPeriodSeconds: 0n,
    expedited: { minimumDeposit: [{ denom: "umin", amount: 50_000_000n }], votingPeriodSeconds: 0n },
  });
});

test("a balance, also of an account that L1 has never seen", async () => {
  const read = (text: string, denom: string): Promise<bigint> =>
    readBalance({ l1RestUrl: l1.restUrl, account: account(text), denom });
  expect(await read(operatorAddress, "umin")).toBeGreaterThan(10_000_000n);
  expect(await read(operatorAddress, "uother")).toBe(0n);
  expect(await read(`0x${"c8".repeat(32)}`, "umin")).toBe(0n);
});

test("a rollup's bridge, or none", async () => {
  const id = 2n ** 64n - 1n;
  await using rollup = await startVipnode({ vm: "move", bridge: { id, address: operatorAddress } });
  expect(await readBridgeInfo({ rollupRestUrl: rollup.restUrl })).toEqual({
    bridgeId: id,
    bridgeAddress: account(operatorAddress),
    l1ChainId: l1.chainId,
  });
  await using without = await startVipnode({ vm: "move" });
  expect(await readBridgeInfo({ rollupRestUrl: without.restUrl })).toBeUndefined();
  // L1 itself has no bridge to an L1.
  await expect(readBridgeInfo({ rollupRestUrl: l1.restUrl })).rejects.toThrowError(code("NODE_ERROR"));
});

test("a rollup's bridge from its RPC", async () => {
  const highest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
  const text = (field: number, value: string) => [field * 8 + 2, value.length, ...Buffer.from(value)];
  const info = [8, ...highest, ...text(2, operatorAddress), ...text(3, "interwoven-1"), ...text(4, "07-tendermint-0")];
  const served: Reply = state(Uint8Array.of(10, info.length, ...info));
  const answers = async (reply: Reply | undefined) => {
    const { url } = await scriptNode(reply === undefined ? {} : { "/opinit.opchild.v1.Query/BridgeInfo": [reply] });
    return readBridgeInfo({ rollupRpcUrl: url });
  };
  expect(await answers(served)).toEqual({
    bridgeId: 2n ** 64n - 1n,
    bridgeAddress: account(operatorAddress),
    l1ChainId: "interwoven-1",
  });
  expect(
    await answers(refused("rpc error: code = NotFound desc = bridge info not found: key not found", 30)),
  ).toBeUndefined();
  // A node without the module.
  expect(await answers(undefined)).toBeUndefined();
  await expect(answers(refused("internal failure of the module"))).rejects.toThrowError(code("NODE_ERROR"));
});

test("a bridge that cannot be read", async () => {
  const known = { bridge_id: "1", bridge_addr: operatorAddress, l1_chain_id: "interwoven-1" };
  const infos = [
    { ...known, bridge_addr: undefined },
    { ...known, bridge_id: 1 },
    { ...known, bridge_addr: "x" },
    { ...known, l1_chain_id: null },
  ];
  // In parallel, because each is retried for seconds.
  const readings = infos.map(async (info) => {
    await using server = await serve(json({ bridge_info: info }));
    return await readBridgeInfo({ rollupRestUrl: server.url }).catch((error: unknown) => error);
  });
  expect(await Promise.all(readings)).toEqual(infos.map(() => code("NODE_BAD_RESPONSE")));
});
