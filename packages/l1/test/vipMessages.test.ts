import { bcs, Msg } from "@initia/initia.js";
import { expect, test } from "vitest";
import { parseAccount, type Vm } from "@vipscore/core";
import {
  challengeCall,
  checkCommission,
  checkCommissionChange,
  checkNotRegistered,
  checkRollupBridge,
  describeMessage,
  executeMessage,
  parseRatio,
  proposalMessage,
  registerCall,
  requireRegistered,
  updateCommissionCall,
  updateContractCall,
  updateOperatorCall,
  type Registration,
  type VipBridge,
} from "../src/index.ts";

const account = (text: string): ReturnType<typeof parseAccount> => parseAccount(text, { accountBytes: [20, 32] });
const ratio = (text: string): bigint => parseRatio(text) ?? -1n;
const vip = account("0x3a886b32a802582f2e446e74d4a24d1d7ed01adf46d2a8f65c5723887e708789");
const operator = account("init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq");
const bridgeAddress = account(`0x${"b7".repeat(32)}`);
const registration: Registration = {
  operator,
  bridgeId: 7n,
  bridgeAddress,
  scoreContract: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  vm: "evm",
  commission: { maxRate: ratio("0.5"), maxChangeRate: ratio("0.1"), rate: 0n },
};
const texts = {
  proposer: operator,
  deposit: { denom: "uinit", amount: 10n ** 20n },
  title: "Title",
  summary: "Summary",
  metadata: "https://forum.example.org/t/1",
};

test("a proposal has the fields and the arguments that initia.js gives it", () => {
  const message = proposalMessage(registerCall(registration), vip, texts);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the JSON form of initia.js
  expect(Msg.fromData(message as unknown as Msg.Data).toData()).toEqual(message);
  expect(message["initial_deposit"]).toEqual([{ denom: "uinit", amount: "100000000000000000000" }]);
  const args = [
    bcs.address().serialize("init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"),
    bcs.u64().serialize(7n),
    bcs.address().serialize(bridgeAddress),
    bcs.string().serialize(registration.scoreContract),
    ...["0.5", "0.1", "0"].map((rate) => bcs.bigdecimal().serialize(rate)),
    bcs.u64().serialize(2n),
  ].map((value) => value.toBase64());
  expect(message["messages"]).toEqual([
    {
      "@type": "/initia.move.v1.MsgGovExecute",
      authority: "init10d07y265gmmuvt4z0w9aw880jnsr700j55nka3",
      sender: "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d",
      module_address: vip,
      module_name: "vip",
      function_name: "register",
      type_args: [],
      args,
    },
  ]);
});

test("a proposal is read back for people", () => {
  const { functionName, args } = describeMessage(proposalMessage(registerCall(registration), vip, texts));
  expect(functionName).toBe("register");
  expect(Object.fromEntries(args.map(({ name, value }) => [name, value]))).toEqual({
    operator: "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
    bridge_id: "7",
    bridge_address: "init1k7mm0dahk7mm0dahk7mm0dahk7mm0dahk7mm0dahk7mm0dahk7msdjlepn",
    vip_l2_score_contract: registration.scoreContract,
    operator_commission_max_rate: "0.5",
    operator_commission_max_change_rate: "0.1",
    operator_commission_rate: "0",
    vm_type: "2 (evm)",
  });
});

test.each([
  ["move", "0 (move)"],
  ["wasm", "1 (wasm)"],
  ["evm", "2 (evm)"],
] as const)("the number of the VM %s", (vm: Vm, shown) => {
  const message = proposalMessage(registerCall({ ...registration, vm }), vip, texts);
  expect(describeMessage(message).args.at(-1)).toEqual({ name: "vm_type", value: shown });
});

test.each([
  [updateContractCall(7n, "init1contract"), "7, init1contract"],
  [updateCommissionCall(7n, 2n, ratio("0.075")), "7, 2, 0.075"],
  [updateOperatorCall(7n, operator), "7, init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"],
])("a message of an account is read back: %#", (call, shown) => {
  const message = executeMessage(call, vip, operator);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the JSON form of initia.js
  expect(Msg.fromData(message as unknown as Msg.Data).toData()).toEqual(message);
  const { functionName, args } = describeMessage(message);
  expect(functionName).toBe(call.functionName);
  expect(args.map(({ value }) => value).join(", ")).toBe(shown);
});

const challenge = {
  ...texts,
  bridgeId: 7n,
  stage: 12n,
  root: "ab".repeat(32),
  total: 2n ** 64n - 1n,
  terms: { agent: operator, apiUri: "https://agent.example", challengeId: 5365n },
};

test("a challenge has the arguments that initia.js gives it, and may be expedited", () => {
  const message = proposalMessage(challengeCall(challenge), vip, { ...texts, expedited: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the JSON form of initia.js
  expect(Msg.fromData(message as unknown as Msg.Data).toData()).toEqual(message);
  const [{ args }] = message["messages"] as readonly [{ readonly args: readonly string[] }];
  expect(args).toEqual(
    [
      ...[7n, 12n, 5365n].map((value) => bcs.u64().serialize(value)),
      ...["Title", "Summary", "https://agent.example"].map((value) => bcs.string().serialize(value)),
      bcs.address().serialize(operator),
      bcs.vector(bcs.u8()).serialize(Buffer.from(challenge.root, "hex")),
      bcs.u64().serialize(challenge.total),
    ].map((value) => value.toBase64()),
  );
  expect(describeMessage(message).args.slice(-2)).toEqual([
    { name: "new_merkle_root", value: challenge.root },
    { name: "new_l2_total_score", value: "18446744073709551615" },
  ]);
});

test("a challenge of a stage without scores has no root", () => {
  const message = proposalMessage(challengeCall({ ...challenge, root: undefined, total: 0n }), vip, texts);
  expect(describeMessage(message).args.at(-2)).toEqual({ name: "new_merkle_root", value: "none" });
});

test("other messages are not read", () => {
  const call = updateOperatorCall(7n, operator);
  expect(() => describeMessage({ "@type": "/cosmos.bank.v1beta1.MsgSend" })).toThrow(RangeError);
  expect(() => describeMessage(executeMessage({ ...call, functionName: "claim" }, vip, operator))).toThrow(RangeError);
  expect(() => describeMessage(executeMessage({ ...call, args: [] }, vip, operator))).toThrow(RangeError);
});

const bridge: VipBridge = {
  bridgeId: 7n,
  version: 1n,
  initStage: 1n,
  endStage: undefined,
  scoreContract: "0x1",
  vm: "move",
  operatorAddress: operator,
  bridgeAddress,
  weight: 0n,
};
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

test("the bridge is the rollup's, on this L1", () => {
  const wanted = { bridgeId: 7n, bridgeAddress, l1ChainId: "interwoven-1" };
  expect(() => checkRollupBridge(wanted, wanted)).not.toThrow();
  for (const other of [undefined, { ...wanted, bridgeId: 8n }, { ...wanted, bridgeAddress: operator }]) {
    expect(() => checkRollupBridge(wanted, other)).toThrowError(code("BRIDGE_MISMATCH"));
  }
  const elsewhere = { ...wanted, l1ChainId: "initiation-2" };
  expect(() => checkRollupBridge(wanted, elsewhere)).toThrowError(code("CHAIN_MISMATCH"));
  // A replacement does not name the address.
  const { bridgeAddress: _, ...replaced } = wanted;
  expect(() => checkRollupBridge(replaced, { ...wanted, bridgeAddress: operator })).not.toThrow();
});

test("a bridge is registered or not; the newest registration counts", () => {
  const newer = { ...bridge, version: 2n };
  expect(() => checkNotRegistered([bridge], 8n)).not.toThrow();
  expect(() => checkNotRegistered([bridge], 7n)).toThrowError(code("BRIDGE_REGISTERED"));
  expect(requireRegistered([bridge, newer, { ...bridge, bridgeId: 8n }], 7n)).toBe(newer);
  expect(() => requireRegistered([bridge], 8n)).toThrowError(code("BRIDGE_NOT_REGISTERED"));
});

const commission = (maxRate: string, maxChangeRate: string, rate: string) => ({
  maxRate: ratio(maxRate),
  maxChangeRate: ratio(maxChangeRate),
  rate: ratio(rate),
});

test("a commission within L1's bounds", () => {
  for (const fine of [commission("1", "1", "1"), commission("0", "0", "0"), commission("0.5", "0", "0.5")]) {
    expect(() => checkCommission(fine)).not.toThrow();
  }
  const above = "1.000000000000000001";
  for (const wrong of [commission(above, "0", "0"), commission("1", above, "0"), commission("1", "1", above)]) {
    expect(() => checkCommission(wrong)).toThrowError(code("COMMISSION_INVALID"));
  }
  expect(() => checkCommission(commission("0.5", "1", "0.500000000000000001"))).toThrowError(
    code("COMMISSION_INVALID"),
  );
});

test("a change of the commission within L1's bounds, once in a stage", () => {
  const info = { operator, lastChangedStage: 5n, commission: commission("0.5", "0.1", "0.3") };
  const change = (rate: string, stage = 6n): (() => void) => {
    return () => checkCommissionChange(info, ratio(rate), stage);
  };
  for (const rate of ["0.4", "0.2", "0.31"]) expect(change(rate)).not.toThrow();
  // The last one is the present one.
  for (const rate of ["0.400000000000000001", "0.199999999999999999", "0.6", "0.3"]) {
    expect(change(rate)).toThrowError(code("COMMISSION_INVALID"));
  }
  expect(change("0.4", 5n)).toThrowError(code("COMMISSION_INVALID"));
});
