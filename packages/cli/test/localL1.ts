import { bcs } from "@initia/initia.js";
import { afterAll, beforeAll } from "vitest";
import type { L1Endpoint } from "@vipscore/core/nodeFile";
import { startHardhat, startVipnode, testAccounts, type StartVipnodeOptions } from "@vipscore/localnet";
import { callL1, type BcsValue, type L1Calls as VipCalls } from "@vipscore/testkit/callL1";
import { openTestFolder, type TestFolder } from "./harness.ts";

/** Calls of a local chain that plays Initia's L1. */
export interface L1Calls extends VipCalls {
  readonly endpoint: L1Endpoint;
  readonly chainId: string;
  /** Registers a rollup by governance; its bridge has the operator's account. */
  readonly register: (bridgeId: bigint, contract: string, vmType: bigint) => Promise<void>;
  /** Submits a snapshot of a bridge, as VIP's agent does, once for each stage. Default version: 1. */
  readonly submit: (bridgeId: bigint, stage: bigint, root: string, total: bigint, version?: bigint) => Promise<void>;
  /** Replaces a snapshot of the registered version by governance. */
  readonly challenge: (bridgeId: bigint, stage: bigint, root: string, total: bigint) => Promise<void>;
}

/** A local chain that plays Initia's L1. */
export interface LocalL1 extends L1Calls, AsyncDisposable {
  readonly rpcUrl: string;
}

export const u64 = (value: bigint): BcsValue => bcs.u64().serialize(value);
export const bcsText = (value: string): BcsValue => bcs.string().serialize(value);
const hex = (value: string): BcsValue => bcs.vector(bcs.u8()).serialize(Buffer.from(value, "hex"));

export async function startL1(): Promise<LocalL1> {
  const node = await startVipnode({ vm: "move", l1: true });
  const { restUrl, rpcUrl, chainId, vipAddress = "" } = node;
  return { ...connectL1({ restUrl, vipAddress }, chainId), rpcUrl, [Symbol.asyncDispose]: () => node.stop() };
}

/** Starts L1 and a rollup for the tests of a file, prepares them, and stops both at the end. */
export function useRollup(
  rollup: { readonly vm: "evm" } | StartVipnodeOptions,
  prepare: (l1: LocalL1, folder: TestFolder) => Promise<void>,
): void {
  const running: AsyncDisposable[] = [];
  beforeAll(async () => {
    const l1 = await startL1();
    running.push(l1);
    const folder = await openTestFolder(
      await (rollup.vm === "evm" ? startHardhat() : startVipnode(rollup)),
      l1.endpoint,
    );
    running.unshift(folder);
    await prepare(l1, folder);
  });
  afterAll(async () => {
    for (const one of running) await one[Symbol.asyncDispose]();
  });
}

/** Connects to a running chain that plays L1. */
export function connectL1(endpoint: L1Endpoint, chainId: string): L1Calls {
  const { call, govern, pay } = callL1({ ...endpoint, chainId });
  const rate = bcs.bigdecimal().serialize("0.1");
  const address = bcs.address().serialize(testAccounts.operator.address);
  return {
    endpoint,
    chainId,
    call,
    govern,
    pay,
    register: (bridgeId, contract, vmType) =>
      govern("register", address, u64(bridgeId), address, bcsText(contract), rate, rate, rate, u64(vmType)),
    submit: (bridgeId, stage, root, total, version = 1n) =>
      call("submit_snapshot", u64(bridgeId), u64(version), u64(stage), hex(root), u64(total)),
    challenge: (bridgeId, stage, root, total) => {
      const [id, agent] = [u64(BigInt(Date.now())), address];
      const texts = ["Challenge", "", "https://agent.example"].map(bcsText);
      return govern("execute_challenge", u64(bridgeId), u64(stage), id, ...texts, agent, hex(root), u64(total));
    },
  };
}

/** Makes a stage the current one; it ends at a time in unix seconds, which has passed by default. */
export const setStage = (l1: L1Calls, stage: bigint, endsAt = 1n): Promise<void> =>
  l1.call("set_stage", u64(stage), u64(0n), u64(endsAt));
