import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { planPush, push, ScoreTable, type ScoreContract } from "@vipscore/core";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { pushAnswered, pushOver, testFaults, type FaultyProxy } from "@vipscore/testkit/adapter/faults";
import { countOf, pushAll, rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import type { ScriptedAnswer, SeenRequest } from "@vipscore/testkit/scriptedServer";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { hardhat } from "./evmChain.ts";

const chain = useChain(hardhat.start);

/** The method of a request; of several calls the first. */
function methodOf({ body }: SeenRequest): string {
  const [call] = [JSON.parse(body)].flat() as [{ readonly method: string }];
  return call.method;
}
const isSend = (request: SeenRequest) => methodOf(request) === "eth_sendRawTransaction";
const internalError: ScriptedAnswer = {
  body: { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
};

testFaults(chain, {
  isSend,
  isRead: (request) => ["eth_call", "eth_getTransactionReceipt"].includes(methodOf(request)),
  error: () => internalError,
});

test("rows are written once when the proxy does not answer", async () => {
  let silences = 0;
  const pushed = await pushAnswered(chain(), isSend, () => {
    silences += 1;
    // Each silence takes ten seconds.
    return silences === 1 ? { instead: "silence" } : undefined;
  });
  expect(pushed).toEqual({ setbacks: 0, extra: 0n });
  expect(silences).toBeGreaterThan(0);
});

test("an unreadable answer to any read costs one retry", async () => {
  const unreadable: ScriptedAnswer = { body: { jsonrpc: "2.0", id: 1, result: 7 } };
  const cut: ScriptedAnswer = { body: { jsonrpc: "2.0", id: 1, result: "0x00000000" } };
  // The first three calls identify the contract and are retried once; they accept any bytes as an answer.
  const turns = new Map<string, number>();
  const proxy: FaultyProxy = (request, pass) => {
    const method = methodOf(request);
    const turn = turns.get(method) ?? 0;
    turns.set(method, turn + 1);
    if (isSend(request)) return pass();
    if (method === "eth_call" && turn > 3 && turn % 4 === 0) return cut;
    return turn === 0 ? unreadable : pass();
  };
  expect(await pushOver(chain(), proxy)).toMatchObject({ setbacks: 0 });
});

async function ask(method: string, ...params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  await fetch(chain().url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

test("a base fee of the next block between 1 and 30 gwei costs new signatures, not setbacks", async () => {
  const random = seededRandom(fuzzSeed());
  let jumps = 0;
  const pushed = await pushOver(
    chain(),
    async (request, pass) => {
      if (isSend(request)) {
        jumps += 1;
        await ask("hardhat_setNextBlockBaseFeePerGas", numberToHex(BigInt(random.pick([1, 30])) * 10n ** 9n));
      }
      return pass();
    },
    { maxFee: 10n ** 20n },
  );
  expect(pushed).toEqual({ setbacks: 0, extra: 0n });
  expect(jumps).toBeGreaterThan(1);
});

/** Mines a block with this base fee, in gwei. */
async function mineAt(gwei: bigint): Promise<void> {
  await ask("hardhat_setNextBlockBaseFeePerGas", numberToHex(gwei * 10n ** 9n));
  await ask("hardhat_mine");
}

test("a base fee that jumps to 100 gwei pauses a push below its maximum fee, and the next push continues", async () => {
  const deployed = await (await chain().fund()).deploy("ours");
  // One at a time, so that the first is in a block before the others are sent.
  const getLimits: ScoreContract["getLimits"] = async (options) => {
    return { ...(await deployed.getLimits(options)), maxInFlight: 1 };
  };
  const contract = { ...deployed, getLimits };
  const table = ScoreTable.from(rowsOf(1_500));
  await mineAt(1n);
  const plan = await planPush(contract, stageOne, table);
  const pushing = async (): Promise<void> => {
    let isRaised = false;
    for await (const { type } of push(contract, plan)) {
      if (type !== "confirmed" || isRaised) continue;
      isRaised = true;
      await mineAt(100n);
    }
  };
  await expect(pushing()).rejects.toMatchObject({ code: "FEE_LIMIT" });
  const { maxFee, price, fees } = plan;
  const paid = (fees?.balance ?? 0n) - (await contract.getFees()).balance;
  expect(paid).toBeGreaterThan(0n);
  expect(paid).toBeLessThanOrEqual(maxFee);
  expect(maxFee).toBe(3n * price);
  const rest = await planPush(contract, stageOne, table);
  expect(rest.counts.unchanged).toBeGreaterThan(0);
  expect(rest.counts.add).toBeGreaterThan(0);
  const events = await pushAll(contract, table);
  expect(countOf(events, "setback")).toBe(0);
  expect(events.at(-1)).toMatchObject({ type: "verified", verification: { accounts: 1_500 } });
});

test("a push prunes 2,000 rows and writes 2,000 new ones without a failed transaction, within its plan", async () => {
  await mineAt(1n);
  const contract = await (await chain().fund()).deploy("ours");
  await pushAll(contract, ScoreTable.from(rowsOf(2_000)));
  const table = ScoreTable.from(rowsOf(2_000, 2_000));
  const plan = await planPush(contract, stageOne, table, { prune: true });
  expect(plan.counts).toMatchObject({ toZero: 2_000, add: 2_000 });
  let used = 0n;
  for await (const event of push(contract, plan)) {
    expect(event.type).not.toBe("setback");
    if (event.type !== "confirmed") continue;
    const receipt = await contract.lookUp(event.hash);
    used += receipt.state === "included" ? receipt.gasUsed : plan.gas;
  }
  expect(used).toBeLessThanOrEqual(plan.gas);
});
