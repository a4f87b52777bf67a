// Each finding of the guard on each VM: made, seen, repaired, seen to end.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { describe, expect, test } from "vitest";
import { vms } from "@vipscore/core/values";
import { testAccounts } from "@vipscore/localnet";
import { passOn } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { checkNames } from "../src/commands/doctor/findings.ts";
import { codesOf, startGuard, type SteppedGuard } from "../test/guardEvents.ts";
import { addressOf } from "../test/harness.ts";
import { bcsText, u64 } from "../test/localL1.ts";
import {
  bridgeId,
  claim,
  endStage,
  finalize,
  push,
  submit,
  useDrilledRollup,
  type DrilledRollup,
} from "./drilledRollup.ts";

/** A state in which a finding begins, and its repair. */
interface Drill {
  readonly code: (typeof checkNames)[number];
  readonly begin: (drilled: DrilledRollup) => unknown;
  /** Default: it ends by itself in the round after. */
  readonly end?: (drilled: DrilledRollup) => unknown;
  /** What two rounds report. Default: that it begins. */
  readonly begins?: readonly string[];
  /** Default: that it ends. */
  readonly ends?: readonly string[];
}

const stranger = addressOf(0xbeef);
const deployments = ".vipscore/deployments.json";

async function replaceIn({ folder }: DrilledRollup, name: string, from: string, to: string): Promise<void> {
  await folder.write(name, (await readFile(join(folder.cwd, name), "utf8")).replace(from, to));
}

const nameContract = ({ l1 }: DrilledRollup, address: string): Promise<void> =>
  l1.govern("update_l2_score_contract", u64(bridgeId), bcsText(address));
const setWeight = ({ l1 }: DrilledRollup, weight: string): Promise<void> =>
  l1.govern("update_vip_weight", u64(bridgeId), bcs.bigdecimal().serialize(weight));
/** An interval of two weeks, 26 stages of vesting, a challenge period of a day. */
const setMinimum = ({ l1 }: DrilledRollup, minimum: bigint): Promise<void> =>
  l1.call("set_parameters", ...[1_209_600n, 26n, 86_400n, minimum].map(u64));

/** In the order in which they are made: the stage goes on from one to the next. */
const drills: readonly Drill[] = [
  {
    code: "endpoints",
    begin: ({ second, otherUrl }) => (second.answer = (request) => passOn(otherUrl, request)),
    end: ({ second }) => (second.answer = second.own),
  },
  {
    code: "owner",
    begin: ({ folder }) => folder.ok(["members", "add", stranger]),
    end: ({ folder }) => folder.ok(["members", "remove", stranger]),
  },
  {
    code: "control",
    begin: ({ folder }) => folder.ok(["owner", "offer", stranger]),
    end: ({ folder }) => folder.ok(["owner", "offer", testAccounts.deployer.address]),
  },
  {
    // Another chain answers.
    code: "rollup",
    begin: ({ rollup, chainId }) =>
      (rollup.answer = async (request) => {
        const { body, ...answer } = await rollup.own(request);
        const other = chainId.replace(/.$/, "8");
        return typeof body === "string" ? { ...answer, body: body.replaceAll(chainId, other) } : answer;
      }),
    end: ({ rollup }) => (rollup.answer = rollup.own),
    begins: ["begins rollup", "begins contract"],
    ends: ["ends rollup", "ends contract"],
  },
  {
    code: "contract",
    begin: (drilled) => replaceIn(drilled, deployments, drilled.contract, testAccounts.operator.address),
    end: (drilled) => replaceIn(drilled, deployments, testAccounts.operator.address, drilled.contract),
  },
  {
    code: "l1",
    begin: ({ ofL1 }) => (ofL1.answer = () => Promise.resolve({ status: 501 })),
    end: ({ ofL1 }) => (ofL1.answer = ofL1.own),
  },
  {
    code: "versions",
    begin: (drilled) => (drilled.nodeVersion = "v1.3.0"),
    end: ({ installMinitiad }) => installMinitiad("v1.3.0"),
  },
  {
    code: "registration",
    begin: (drilled) => nameContract(drilled, stranger),
    end: (drilled) => nameContract(drilled, drilled.contract),
  },
  {
    // Governance removes the snapshot of the stage before.
    code: "first-stage",
    begin: ({ l1 }) => l1.govern("execute_rollup_challenge", u64(bridgeId), u64(2n)),
    end: ({ l1 }) => l1.submit(bridgeId, 2n, "ab".repeat(32), 7n),
  },
  {
    // All weights together are at most 1.
    code: "proposals",
    begin: (drilled) => expect(setWeight(drilled, "2")).rejects.toThrow(),
    end: (drilled) => setWeight(drilled, "0"),
  },
  {
    code: "rewards",
    begin: (drilled) => setMinimum(drilled, 2n ** 64n - 1n),
    end: (drilled) => setMinimum(drilled, 0n),
  },
  {
    code: "total-change",
    begin: (drilled) => push(drilled, 9000),
    begins: ["begins total-change", "ends total-change"],
  },
  {
    // What others wrote stays written: the finding ends with the stage.
    code: "writers",
    begin: (drilled) => push(drilled, 9001, ["--journal", "elsewhere.jsonl"]),
    end: endStage,
  },
  {
    code: "open-stage",
    begin: async (drilled) => {
      await push(drilled, 1000);
      await drilled.l1.call("advance_stage");
    },
    end: finalize,
  },
  {
    code: "claims",
    begin: submit,
    end: claim,
  },
  {
    code: "snapshot",
    begin: ({ l1, snapshot: [stage, , total] }) => l1.challenge(bridgeId, stage, "cd".repeat(32), total),
    end: ({ l1, snapshot }) => l1.challenge(bridgeId, ...snapshot),
  },
  {
    // In a new stage, so that no total changes.
    code: "totals",
    begin: async (drilled) => {
      await push(drilled, 1000);
      await endStage(drilled);
      await push(drilled, 2 ** 52);
    },
    end: (drilled) => push(drilled, 1000),
    ends: ["ends totals", "begins total-change", "ends total-change"],
  },
];

/** Checks that are never a finding of a guard, on any VM. */
const exceptions: Readonly<Partial<Record<Drill["code"], string>>> = {
  "second-endpoint": "doctor alone says that none is set; what it would show is a matter of endpoints",
  signer: "a guard opens no key",
  balance: "a guard opens no key",
};

test("every code has a drill or a reason, and is in the documentation", async () => {
  const drilled = [...drills.map(({ code }) => code), ...Object.keys(exceptions)];
  expect(drilled.toSorted()).toEqual(checkNames.toSorted());
  const operations = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const [, table = ""] = /^## Findings$([^]*?)^## /m.exec(operations) ?? [];
  const firstColumn = [...table.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = ""]) => cell).join();
  const documented = [...firstColumn.matchAll(/`([\w-]+)`/g)].map(([, code = ""]) => code);
  expect(documented.toSorted()).toEqual(checkNames.toSorted());
});

describe.each(
  vms.flatMap(
    (vm) =>
      [
        { vm, guard: "run again for each round" },
        { vm, guard: "that goes on" },
      ] as const,
  ),
)("$vm, a guard $guard", ({ vm, guard }) => {
  const drilled = useDrilledRollup(vm);
  const isRunning = guard === "that goes on";
  const running = started<SteppedGuard>(async () => {
    const { folder, env } = drilled;
    if (isRunning) return startGuard(folder.cwd, env);
    const once = ["guard", "--once", "--json"];
    return {
      round: async () => codesOf((await folder.cli(once, { env })).stdout),
      [Symbol.asyncDispose]: async () => {},
    };
  });

  async function rounds(count: number): Promise<readonly string[]> {
    const events: string[] = [];
    for (let round = 0; round < count; round += 1) events.push(...(await running.round()));
    return events;
  }

  test.each(drills)("$code", async ({ code, begin, end, begins = [`begins ${code}`], ends = [`ends ${code}`] }) => {
    // The second quiet one in a row.
    expect(await rounds(1)).toEqual([]);
    await begin(drilled);
    expect(await rounds(2)).toEqual(begins);
    expect(await rounds(1)).toEqual([]);
    if (end === undefined) return;
    await end(drilled);
    expect(await rounds(2)).toEqual(ends);
    expect(await rounds(1)).toEqual([]);
  });
});
