import { describe, expect, test } from "vitest";
import { startAnvil } from "@vipscore/testkit/startAnvil";
import { started } from "@vipscore/testkit/started";
import { openSubject, publishedCode } from "../src/index.ts";
import { accountOf, done, scored } from "../src/scenarios/expectations.ts";
import { startChain } from "./startChain.ts";

const stage = 0x1234_5678_9abc_def0n;

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const chain = started(() => startChain(vm));

  test("what a call changes in the storage of a stage is seen, and nothing else", async () => {
    const subject = await chain.open(await publishedCode(vm));
    const contract = await subject.deploy({ initStage: stage });
    const changes = async (role: "creator" | "alice", call: Parameters<typeof contract.call>[1]): Promise<number> => {
      const { hash } = await done(contract, role, call);
      return (await contract.changesInStorage([stage], hash)).length;
    };
    expect(subject.showsStorage).toBe(true);
    expect(await changes("creator", { kind: "updateScores", stage, rows: scored(10n, 20n) })).toBeGreaterThan(1);
    expect(await changes("creator", { kind: "addMember", account: contract.accountOf("alice") })).toBe(0);
    // Writing the same score again changes the revision alone.
    expect(await changes("alice", { kind: "updateScore", stage, account: accountOf(1), amount: 20n })).toBe(1);
    expect(await changes("alice", { kind: "finalizeStage", stage })).toBeGreaterThan(0);
    const next = stage + 1n;
    expect(await changes("alice", { kind: "updateScores", stage: next, rows: scored(1n, 2n, 3n) })).toBe(0);
    expect(await changes("creator", { kind: "finalizeStage", stage: next })).toBe(0);
  });
});

test("a node that does not show what a call changes is recognized", async () => {
  const node = await startAnvil();
  try {
    const subject = await openSubject({ url: node.rpcUrl, code: await publishedCode("evm"), seed: 1 });
    expect(subject.showsStorage).toBe(false);
  } finally {
    await node.stop();
  }
});
