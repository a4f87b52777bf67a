import { describe, expect, test } from "vitest";
import { formatBech32, parseAccount, stage as toStage, type ScoreContract, type StageInfo } from "@vipscore/core";
import type { VipSnapshot, VipStage } from "@vipscore/l1";
import type { Finding } from "./findings.ts";
import { checkSnapshot } from "./l1Checks.ts";
import { checkFirstStage, checkOpenStage, checkRegistration, type RegisteredVersion } from "./registrationChecks.ts";

const contract = { vm: "move", chainId: "rollup-1", address: "0x8cad25ec80a10522c258e2f59abf0006c9445d1b" } as const;
// Only the stage is read.
const l1At = (stage: bigint): VipStage => ({ stage }) as VipStage;

/** A registration of bridge 7 with this contract, of which L1 has all snapshots before `next`. */
function version(
  fields: Pick<RegisteredVersion, "initStage" | "next"> & Partial<RegisteredVersion>,
): RegisteredVersion {
  const scoreContract = contract.address;
  const [operatorAddress, bridgeAddress] = ["0x1", "0x2"];
  return {
    bridgeId: 7n,
    version: 1n,
    endStage: undefined,
    vm: "move",
    scoreContract,
    operatorAddress,
    bridgeAddress,
    weight: 0n,
    operator: parseAccount("0x1234567890123456789012345678901234567890", { accountBytes: [20] }),
    newest: fields.next - 1n,
    snapshots: new Map(),
    removed: [],
    ...fields,
  };
}

const info = (stage: bigint, isFinalized: boolean, total = 0n): StageInfo => ({
  stage: toStage(stage),
  isFinalized,
  total,
  count: 0n,
  revision: 0n,
});

describe("registration", () => {
  const check = (versions: readonly RegisteredVersion[], open: readonly string[] = []): Finding =>
    checkRegistration(
      { bridgeId: 7n, versions },
      contract,
      open.map((functionName) => ({
        id: 9n,
        functionName,
        status: "VOTING_PERIOD",
        deadline: undefined,
        failedReason: "",
      })),
    );

  test("the operator is the one who claims, not the one whom the registration names", () => {
    const registered = version({ initStage: 5n, next: 6n });
    const { state, text } = check([registered]);
    expect({ state, named: text.includes(formatBech32(registered.operator)) }).toEqual({ state: "ok", named: true });
  });

  test("another contract needs an action, so that a quiet check reports it, unless L1 votes on it", () => {
    const other = version({ initStage: 5n, next: 6n, scoreContract: "0x99" });
    expect(check([other]).state).toBe("action");
    expect(check([other], ["update_l2_score_contract"]).state).toBe("warning");
  });

  test("nothing is proposed that L1 votes on", () => {
    const other = version({ initStage: 5n, next: 6n, scoreContract: "0x99" });
    expect(check([]).fix).toEqual([expect.stringContaining("vipscore proposal register")]);
    expect(check([other]).fix).toEqual([expect.stringContaining("vipscore proposal contract")]);
    for (const found of [check([], ["register"]), check([other], ["update_l2_score_contract"])]) {
      expect(found.fix).toEqual([expect.stringMatching(/^(?!.*vipscore).*\b9\b/)]);
    }
    expect(check([], ["update_l2_score_contract"]).fix.join()).toContain("vipscore proposal register");
  });
});

describe("first stage", () => {
  const check = (initStage: bigint, versions: readonly RegisteredVersion[]): readonly Finding[] =>
    checkFirstStage(toStage(initStage), l1At(12n), { bridgeId: 7n, versions });

  test("a contract that replaced another one is compared with the next snapshot, not the bridge's first stage", () => {
    expect(check(11n, [version({ initStage: 5n, next: 11n })])).toMatchObject([{ state: "ok" }]);
    const late = check(12n, [version({ initStage: 5n, next: 11n })]);
    expect(late).toMatchObject([{ state: "action" }]);
    expect(late[0]?.fix[0]).toContain("vipscore deploy --init-stage 11");
  });

  test("a registration that has ended: no stage is called empty, because L1 may still take it", () => {
    expect(check(13n, [version({ initStage: 5n, endStage: 8n, next: 6n })])).toMatchObject([{ state: "ok" }]);
    const [found] = check(5n, [version({ initStage: 5n, endStage: 12n, next: 12n })]);
    expect(found).toMatchObject({ state: "ok", text: expect.stringMatching(/\bstage 12\b/) as unknown });
    expect(found?.text).not.toContain("finalize");
  });

  test("a rollup that was never registered: the stages before the first one are counted", () => {
    expect(check(5n, [])).toMatchObject([{ state: "warning", text: expect.stringContaining("8 stages") as unknown }]);
  });

  test("a bridge that is not known: nothing is called empty", () => {
    const [found] = checkFirstStage(toStage(5n), l1At(12n), undefined);
    expect(found).toMatchObject({ state: "skipped", fix: [] });
    expect(found?.text).not.toContain("finalize");
    expect(checkFirstStage(toStage(14n), l1At(12n), undefined)).toMatchObject([{ state: "action" }]);
  });
});

describe("an open stage that is over on L1", () => {
  const first = version({ initStage: 3n, endStage: 6n, next: 5n });
  const second = version({ version: 2n, initStage: 9n, next: 10n });
  const check = (stage: bigint, versions: readonly RegisteredVersion[], total = 0n): Finding =>
    checkOpenStage(info(stage, false, total), contract, l1At(12n), { bridgeId: 7n, versions });
  const emptied = (stage: bigint, state = "warning"): object => ({
    state,
    fix: [
      expect.stringContaining("empty.csv"),
      expect.stringContaining(`finalize --stage ${stage} --file empty.csv`),
    ] as unknown,
  });

  test.each([
    ["before the first registration", 2n, "stage 2 is"],
    ["with a snapshot of an ended registration", 3n, "the stages 3 to 4 are"],
    ["between two registrations", 7n, "the stages 7 to 8 are"],
    ["with a snapshot of the registered version", 9n, "stage 9 is"],
  ])("%s: L1 takes no scores of it", (_, stage, which) => {
    const found = check(stage, [first, second]);
    // The next one that L1 takes has begun, and cannot be scored before.
    expect(found).toMatchObject(emptied(stage, "action"));
    expect(found.text).toContain(which);
    const other = version({ initStage: 9n, next: 10n, scoreContract: "0x99" });
    expect(check(8n, [first, other])).toMatchObject(emptied(8n));
    expect(check(8n, [first, { ...second, initStage: 13n, next: 13n }])).toMatchObject(emptied(8n));
  });

  test("that L1 does not take is named while it can still be left empty", () => {
    expect(check(12n, [{ ...second, initStage: 13n, next: 13n }])).toMatchObject({
      state: "warning",
      text: expect.stringMatching(/\b12\b.*\b13\b/) as unknown,
    });
    expect(check(12n, [second])).toMatchObject({ state: "ok" });
  });

  test.each([
    ["of an ended registration", 5n, "the stages 5 to 6 are"],
    ["of the registered version", 10n, "the stages 10 to 11 are"],
  ])("without a snapshot, %s: users wait", (_, stage, which) => {
    const found = check(stage, [first, second]);
    expect(found).toMatchObject({
      state: "action",
      fix: [expect.stringContaining("push"), expect.stringContaining("finalize")],
    });
    expect(found.text).toContain(which);
  });

  test("of a bridge that was never registered", () => {
    expect(check(10n, [])).toMatchObject(emptied(10n));
    expect(check(10n, [], 5n).fix).toEqual([expect.stringContaining("--file scores.csv")]);
  });

  test("no irreversible step where L1 reads another contract, or the bridge is not known", () => {
    const other = version({ initStage: 9n, next: 10n, scoreContract: "0x99" });
    expect(check(10n, [other])).toMatchObject({ state: "warning", fix: [] });
    const unknown = checkOpenStage(info(10n, false), contract, l1At(12n), undefined);
    expect(unknown).toMatchObject({ state: "warning", fix: [] });
  });
});

describe("finalized stages without a snapshot", () => {
  const check = (stage: bigint, versions: readonly Partial<RegisteredVersion>[], initStage = 1n) => {
    const all = versions.map((fields) => version({ initStage: 8n, next: 8n, ...fields }));
    const stages = [info(8n, true), info(9n, true), info(10n, true), info(11n, false)];
    const registration = { bridgeId: 7n, versions: all };
    const l1 = { options: { l1RestUrl: "" }, current: l1At(stage), registration, initStage };
    // It has no scores of stages before its first.
    const found = { identity: contract, getStage: () => Promise.resolve(undefined) } as unknown as ScoreContract;
    return checkSnapshot(found, stages, l1, { height: 1n, signal: new AbortController().signal });
  };

  test("the newest one may take a while", async () => {
    expect(await check(9n, [{}])).toMatchObject([{ state: "ok" }]);
  });

  test("several while L1 has moved on", async () => {
    const found = await check(12n, [{}]);
    expect(found).toMatchObject([{ state: "warning" }]);
    expect(found[0]?.text).toContain("the stages 8 to 10 are");
  });

  test("one that a challenge removed, though a later one is there", async () => {
    const reads = { newest: 10n, next: 9n, removed: [9n], initStage: 8n };
    // Also one of an earlier contract: its users are blocked as well.
    for (const initStage of [1n, 10n]) {
      const [found] = await check(12n, [reads], initStage);
      expect(found).toMatchObject({ state: "action" });
      expect(found?.text).toMatch(/\bstage 9\b.*\bstage 10\b/);
    }
  });

  test("those of an earlier contract, which are no part of this one", async () => {
    const reads = { initStage: 8n, next: 9n, snapshots: new Map([[8n, {} as VipSnapshot]]) };
    expect(await check(9n, [reads], 9n)).toMatchObject([{ state: "skipped", isMade: true }]);
  });

  test("those of an ended registration and of the new one", async () => {
    const found = await check(13n, [{ endStage: 8n }, { version: 2n, initStage: 10n, next: 10n }]);
    expect(found.map(({ text }) => text)).toEqual([
      expect.stringContaining("stage 8 is"),
      expect.stringContaining("stage 10 is"),
    ]);
  });

  test("none that L1 expects", async () => {
    expect(await check(12n, [{ initStage: 11n, next: 11n }])).toMatchObject([{ state: "skipped" }]);
    // A contract that starts later never serves the stage that L1 waits for.
    expect(await check(12n, [{}], 9n)).toMatchObject([{ state: "skipped" }]);
  });

  test("a contract that L1 does not read", async () => {
    expect(await check(12n, [{ scoreContract: "0x99" }])).toMatchObject([{ state: "skipped" }]);
  });
});
