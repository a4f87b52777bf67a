import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { VipError } from "../src/errors/vipError.ts";
import { Journal } from "../src/push/journal.ts";
import { planPush } from "../src/push/planPush.ts";
import { push } from "../src/push/push.ts";
import { verifyScores } from "../src/push/verifyScores.ts";
import { stage } from "../src/stage.ts";
import { collect, memoryContract, stageOne, tableOf, temporaryFile } from "./fixtures.ts";
import type { BroadcastFate, MemoryScoreContract } from "./memoryScoreContract.ts";
import { stopClock } from "./virtualTime.ts";

vi.mock("../src/time/pause.ts", () => import("./virtualTime.ts"));
beforeEach(() => stopClock());
afterEach(() => vi.useRealTimers());

/** One run of the command, like a process that is killed after `stopAfter` events. */
async function run(contract: MemoryScoreContract, file: string, rows: number, stopAfter = Infinity): Promise<void> {
  const table = tableOf(rows);
  const journal = await Journal.open(file, { identity: contract.identity, stage: stageOne });
  try {
    // The chain may charge more than the model, also for the few rows that are left.
    const plan = await planPush(contract, stageOne, table, { journal, resend: true, maxFee: 10n ** 9n });
    let events = 0;
    for await (const _ of push(contract, plan, { journal })) {
      events += 1;
      if (events >= stopAfter) return;
    }
  } finally {
    await journal.close();
  }
}

describe("the journal", () => {
  it("has every transaction before it is sent, and its outcome afterwards", async () => {
    const contract = memoryContract();
    const file = temporaryFile("deep/journal.jsonl");
    contract.fate = (_, transaction) => {
      expect(readFileSync(file, "utf8")).toContain(`"sent":{"hash":"${transaction.hash}"`);
      return "take";
    };
    await run(contract, file, 250);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith('{"sent"'))).toHaveLength(contract.submissions);
    expect(lines.filter((line) => line.includes('"outcome":"included"'))).toHaveLength(contract.submissions);
  });

  it("has the transactions that wrote rows, also after it is opened again", async () => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    const scope = { identity: contract.identity, stage: stageOne };
    const journal = await Journal.open(file, scope);
    const send = (sequence: bigint, rows: number): Promise<void> =>
      journal.recordSent([{ transaction: { hash: `h${sequence}`, sequence, gas: 1n, bytes: new Uint8Array() }, rows }]);
    for (const [sequence, rows] of [10, 10, 10, 0].entries()) await send(BigInt(sequence), rows);
    await journal.recordSettled("h1", "included", { height: 7n });
    await journal.recordSettled("h0", "included", { height: 8n });
    await journal.recordSettled("h2", "failed", { height: 8n });
    // Finalizes the stage.
    await journal.recordSettled("h3", "included", { height: 9n });
    expect(journal.written).toEqual(["h1", "h0"]);
    await journal.close();
    const again = await Journal.open(file, scope);
    expect(again.written).toEqual(["h1", "h0"]);
    await again.close();
  });

  it("removes half a line, reports it, and continues", async () => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    await run(contract, file, 150, 2);
    const whole = readFileSync(file, "utf8");
    appendFileSync(file, '{"sent":{"hash":"ab');
    const journal = await Journal.open(file, { identity: contract.identity, stage: stageOne });
    expect(journal.notices).toEqual([expect.stringContaining(file)]);
    await journal.close();
    expect(readFileSync(file, "utf8")).toBe(whole);
    await run(contract, file, 150);
    expect(contract.written).toHaveLength(150);
  });

  it("accepts an empty file as a new journal, and reports it", async () => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    writeFileSync(file, "");
    const journal = await Journal.open(file, { identity: contract.identity, stage: stageOne });
    expect(journal.notices).toEqual([expect.stringContaining(file)]);
    await journal.close();
    await run(contract, file, 20);
    expect(contract.written).toHaveLength(20);
  });

  it.each([
    ["another stage", { stage: stage(2n) }],
    ["another chain", { identity: { vm: "evm", chainId: "2", address: "0xmemory" } as const }],
    ["another contract", { identity: { vm: "evm", chainId: "1", address: "0xother" } as const }],
  ])("of %s is refused and not changed", async (_, scope) => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    await run(contract, file, 20);
    const before = readFileSync(file, "utf8");
    const opened = Journal.open(file, { identity: contract.identity, stage: stageOne, ...scope });
    await expect(opened).rejects.toMatchObject({ code: "JOURNAL_INVALID" });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each([
    ["no JSON", "nonsense\n", 2],
    ["a line of another shape", '{"sent":{"hash":1}}\n', 2],
    ["a second header", '{"journal":{"version":1,"vm":"evm","chainId":"1","address":"a","stage":"1"}}\n', 2],
    ["a number", "12\n", 2],
  ])("with %s is refused, naming the line", async (_, text, line) => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    await (await Journal.open(file, { identity: contract.identity, stage: stageOne })).close();
    appendFileSync(file, text);
    const opened = Journal.open(file, { identity: contract.identity, stage: stageOne });
    await expect(opened).rejects.toMatchObject({
      code: "JOURNAL_INVALID",
      shortMessage: expect.stringContaining(`:${line} `) as string,
    });
  });

  it.each([
    ["a keystore on one line", '{"version":3,"crypto":{"cipher":"aes-128-ctr"}}'],
    ["a keystore on several lines", '{\n  "version": 3\n}\n'],
    ["the beginning of an object", "{"],
    ["the beginning of another journal's header", '{"journal":{"version":1,"vm":"move"'],
    ["a score file", "address,score\n"],
    ["no text", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])],
  ])("is not created from %s, which is not changed", async (_, content) => {
    const file = temporaryFile("other.json");
    writeFileSync(file, content);
    let isReleased = false;
    const lock = { release: () => void (isReleased = true) };
    const opened = Journal.open(file, { identity: memoryContract().identity, stage: stageOne }, lock);
    await expect(opened).rejects.toMatchObject({ code: "JOURNAL_INVALID" });
    expect(readFileSync(file)).toEqual(Buffer.from(content));
    expect(isReleased).toBe(true);
  });

  it("continues from a part of its own header, and from half a character at the end", async () => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    await run(contract, file, 20);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, 40));
    await run(contract, file, 20);
    const header = readFileSync(file, "utf8").split("\n")[0];
    expect(header).toBe(whole.toString().split("\n")[0]);
    writeFileSync(file, Buffer.concat([whole, Buffer.from("{\u20ac").subarray(0, 3)]));
    await run(contract, file, 20);
    expect(readFileSync(file, "utf8")).toContain(whole.toString());
  });

  it("may be read only by its owner", async () => {
    const file = temporaryFile("journal.jsonl");
    await run(memoryContract(), file, 20);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(["/dev/null", "/dev/full"])("that is %s is an error of the file", async (file) => {
    const opened = Journal.open(file, { identity: memoryContract().identity, stage: stageOne });
    await expect(opened).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("that is a pipe is an error of the file, without waiting for its other end", async () => {
    const file = temporaryFile("pipe");
    execFileSync("mkfifo", [file]);
    const opened = Journal.open(file, { identity: memoryContract().identity, stage: stageOne });
    await expect(opened).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("is closed if it cannot be examined", async () => {
    const file = temporaryFile("journal.jsonl");
    await using handle = await open(file, "w");
    const stat = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "stat");
    stat.mockRejectedValueOnce(new Error("EIO"));
    const scope = { identity: memoryContract().identity, stage: stageOne };
    await expect(Journal.open(file, scope)).rejects.toMatchObject({ code: "FILE_UNREADABLE", details: "EIO" });
    expect(stat.mock.contexts).toMatchObject([{ fd: -1 }]);
    stat.mockRestore();
  });

  it("that is a folder is an error of the file", async () => {
    const folder = temporaryFile("x").slice(0, -2);
    const opened = Journal.open(folder, { identity: memoryContract().identity, stage: stageOne });
    await expect(opened).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("a crash at any point", () => {
  it("and further runs leave the chain as one run would, no matter what the network does", async () => {
    const fates: BroadcastFate[] = [
      "take",
      "take",
      "take",
      "lose-answer",
      "lose-request",
      "sequence",
      "too-large",
      "forget",
    ];
    const scenario = fc.record({
      fates: fc.array(fc.constantFrom(...fates), { maxLength: 12 }),
      stops: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }),
      automine: fc.boolean(),
      // Whether a block is made just before a broadcast.
      blocks: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
      realRow: fc.constantFrom(20n, 100n, 250n),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ fates: planned, stops, automine, blocks, realRow }) => {
        const contract = memoryContract();
        const file = temporaryFile("journal.jsonl");
        contract.realGas = { base: 1_000n, row: realRow };
        contract.automine = automine;
        let isCalm = false;
        contract.fate = (n) => {
          if (!automine && blocks[n % blocks.length] === true) contract.mine();
          return (isCalm ? undefined : planned[n]) ?? "take";
        };
        stopClock(() => {
          if (!automine) contract.mine();
        });
        for (const stop of stops) {
          // Refusals in a row may end a run; the operator runs the command again.
          await run(contract, file, 400, stop).catch((error: unknown) => {
            expect(["NO_PROGRESS", "PENDING_TRANSACTIONS"]).toContain(VipError.isVipError(error) && error.code);
          });
        }
        isCalm = true;
        await run(contract, file, 400);
        const verification = await verifyScores(contract, stageOne, tableOf(400));
        expect(verification.agrees).toBe(true);
        // Rows behind the gap may be written a second time only if a node loses accepted transactions.
        if (!planned.includes("forget")) expect(contract.written).toHaveLength(400);
      }),
      { seed: fuzzSeed(), numRuns: fuzzRuns(20), endOnFailure: true },
    );
  });

  it("sends nothing for rows that are already correct", async () => {
    const contract = memoryContract();
    const file = temporaryFile("journal.jsonl");
    await run(contract, file, 300, 3);
    const written = contract.written.length;
    expect(written).toBeGreaterThan(0);
    await collect(push(contract, await planPush(contract, stageOne, tableOf(300))));
    expect(contract.written).toHaveLength(300);
  });
});
