import { describe, expect, test } from "vitest";
import { checkFirstBatch, planPush, push, ScoreTable, stage, type ScoreContract, type Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import type { ContractCode } from "../src/index.ts";
import { rowsOf } from "../src/scenarios/expectations.ts";
import { compileEvm, compileMove, trapInWasm } from "./changedCode.ts";
import { openCode } from "./startChain.ts";

const refused = 777_777_777n;

/** Contracts of authors with a cap on scores, and what their refusal says. */
const capped: Readonly<Record<Vm, readonly [code: () => Promise<ContractCode>, reason: RegExp]>> = {
  evm: [
    () => compileEvm("examples/contracts/CappedScores.sol", []),
    /^ScoreAboveCap\(1, 0x[0-9a-fA-F]{40}, 777777777\)$/,
  ],
  move: [
    () =>
      compileMove("", [
        [
          "inline fun write(open: &mut Scores, account: address, score: u64) {",
          "inline fun write(open: &mut Scores, account: address, score: u64) {\n assert!(score <= 1000000, 99);",
        ],
      ]),
    /::vip_score, code=99\b/,
  ],
  wasm: [() => trapInWasm("7777]]}}"), /\bunreachable\b/],
};

describe.each(["evm", "move", "wasm"] as const)("a push to a contract with a cap on %s", (vm) => {
  const [code, reason] = capped[vm];
  const tested = started(() => openCode(vm, code));

  /** Returns a contract, and a table whose last row to be sent is above its cap. */
  const setUp = async (count = 25) => {
    const contract = await (await tested.subject.deploy()).port("creator");
    const { rows } = await planPush(contract, stage(1n), ScoreTable.from(rowsOf(count)));
    const account = rows.at(-1)?.account;
    if (account === undefined) throw new Error("no row is planned");
    const table = ScoreTable.from([
      ...rowsOf(count).filter((row) => row.account !== account),
      { account, score: refused },
    ]);
    return { contract, table, account };
  };
  const pushed = async (contract: ScoreContract, table: ScoreTable) => {
    const plan = await planPush(contract, stage(1n), table);
    let sent = 0;
    for await (const { type } of push(contract, plan)) if (type === "sent") sent += 1;
    return sent;
  };

  test("costs nothing if the first batch has the row, and a dry run finds it too", async () => {
    const { contract, table, account } = await setUp();
    const { balance } = await contract.getFees();
    const error = { code: "ROW_REFUSED", message: expect.stringMatching(/\b777,777,777\b.*\b0\b.*\b25\b/s) as string };
    const named = { ...error, shortMessage: expect.stringContaining(account) as string };
    const because = { ...named, details: expect.stringMatching(reason) as string };
    const plan = await planPush(contract, stage(1n), table);
    // Together, because both wait for nodes that lag.
    await Promise.all([
      expect(pushed(contract, table)).rejects.toMatchObject(because),
      expect(checkFirstBatch(contract, plan)).rejects.toMatchObject(because),
    ]);
    expect((await contract.getFees()).balance).toBe(balance);
  });

  test("pays once if a later batch has the row, and counts what is written", async () => {
    const { contract, table, account } = await setUp();
    const first = await contract.getSequence();
    const getLimits: ScoreContract["getLimits"] = async (options) => {
      const limits = await contract.getLimits(options);
      return { ...limits, maxBytes: limits.baseBytes + 10 * limits.rowBytes };
    };
    await expect(pushed({ ...contract, getLimits }, table)).rejects.toMatchObject({
      code: "ROW_REFUSED",
      message: expect.stringMatching(/\b777,777,777\b.*\b20\b.*\b25\b/s) as string,
      shortMessage: expect.stringContaining(account) as string,
    });
    expect((await contract.getSequence()) - first).toBe(3n);
    expect(await contract.getStage(stage(1n))).toMatchObject({ count: 20n });
  });

  test("pays once for a batch that is larger than what a node simulates", async () => {
    // minimove simulates some 160 rows, and takes 6,000.
    const { contract, table, account } = await setUp(290);
    const first = await contract.getSequence();
    await expect(pushed(contract, table)).rejects.toMatchObject({
      code: "ROW_REFUSED",
      shortMessage: expect.stringContaining(account) as string,
    });
    expect((await contract.getSequence()) - first).toBe(1n);
    expect(await contract.getStage(stage(1n))).toMatchObject({ count: 0n });
  });
});
