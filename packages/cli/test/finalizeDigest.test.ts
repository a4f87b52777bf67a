// A stage that contracts score by themselves has no file: its finalizer expects a digest.
import { beforeAll, describe, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, dailyVms, openTestFolder, startNode, type JsonObject } from "./harness.ts";

const finalize = ["finalize", "--stage", "1"];

describe.each(dailyVms)("%s", (vm) => {
  const folder = started(async () => openTestFolder(await startNode(vm)));
  let digest: string;

  beforeAll(async () => {
    await folder.deploy();
    // A row of score 0 counts as an account, and not for the digest.
    await folder.write("scores.csv", `${csvOf(20)}${addressOf(0x7000)},7\n`);
    await folder.ok(["push", "scores.csv", "--stage", "1"]);
    await folder.write("scores.csv", csvOf(20));
    await folder.ok(["push", "scores.csv", "--stage", "1", "--prune"]);
  });

  async function refusal(...args: readonly string[]): Promise<JsonObject> {
    const result = await folder.cli([...finalize, ...args, "--json"]);
    const object = result.json();
    expect((object["error"] as JsonObject)["exit"]).toBe(result.status);
    return object;
  }

  test("export and status print the whole digest, and so does finalize with neither file nor digest", async () => {
    const exported = await folder.cli(["export", "--stage", "1"]);
    [digest = ""] = /\b[0-9a-f]{64}\b/.exec(exported.stderr) ?? [];
    expect(await folder.ok(["export", "--stage", "1"])).toMatchObject({ sha256: digest, accounts: 21 });
    expect((await folder.cli(["status", "--stage", "1"])).stdout).toContain(digest);
    expect(await folder.ok(["status", "--stage", "1"])).toMatchObject({ stages: [{ sha256: digest }] });
    const [stage] = (await folder.ok(["status"]))["stages"] as readonly JsonObject[];
    const { revision = "" } = stage ?? {};

    const found = { accounts: 21, total: "20190", sha256: digest, revision, isFinalized: false };
    expect(await refusal("--yes")).toMatchObject({ found, error: { code: "CONFIRMATION_MISSING", exit: 3 } });
    const shown = (await folder.cli([...finalize, "--yes"])).stdout;
    for (const text of [digest, "20,190", "21", `${revision as string}\n`]) expect(shown).toContain(text);
  });

  test("another digest, or one beside a file, finalizes nothing", async () => {
    const other = "ab".repeat(32);
    expect(await refusal("--expect-digest", other, "--yes")).toMatchObject({ error: { code: "VERIFY_MISMATCH" } });
    for (const args of [
      ["--expect-digest", "ab"],
      ["--expect-digest", digest, "--file", "scores.csv"],
    ]) {
      expect(await refusal(...args, "--yes")).toMatchObject({ error: { code: "INPUT_INVALID", exit: 2 } });
    }
    const wrongAtTheEnd = `${digest.slice(0, -1)}${digest.endsWith("0") ? "1" : "0"}`;
    for (const [given, shown] of [
      [other, "abababab…abab"],
      [wrongAtTheEnd, wrongAtTheEnd],
    ] as const) {
      const { stderr } = await folder.cli([...finalize, "--expect-digest", given, "--yes"]);
      expect(stderr.split("\n").map((line) => line.trim().split(" ").at(-1))).toEqual(
        expect.arrayContaining([shown, digest]),
      );
    }
    expect(await refusal("--expect-digest", digest)).toMatchObject({ error: { code: "CONFIRMATION_MISSING" } });
    expect(await folder.ok(["status", "--stage", "1"])).toMatchObject({ stages: [{ isFinalized: false }] });
  });

  test("a score that is written after the comparison is found before the stage is final", async () => {
    const before = await folder.ok(["export", "--stage", "1"]);
    await folder.write("later.csv", csvOf(20, 1001));
    await folder.ok(["push", "later.csv", "--stage", "1", "--prune"]);
    const old = before["sha256"] as string;
    const refused = await refusal("--expect-digest", old, "--yes");
    expect(refused).toMatchObject({ error: { code: "VERIFY_MISMATCH", exit: 3 } });
    const exported = await folder.ok(["export", "--stage", "1"]);
    digest = exported["sha256"] as string;
    // The digest to compare with another endpoint's.
    expect(JSON.stringify(refused)).toContain(digest);
  });

  test("an unsigned call expects what has the digest", async () => {
    const file = `call-${vm}.json`;
    const args = ["--expect-digest", digest, "--unsigned", file, "--from", testAccounts.deployer.address];
    const written = await folder.cli([...finalize, ...args, "--json"]);
    for (const line of [/^total +20,\d{3}$/m, /^accounts +21$/m, /^revision +\d+$/m]) {
      expect(written.stderr).toMatch(line);
    }
    expect(written.json()).toMatchObject({
      file: null,
      transaction: null,
      verification: { sha256: { chain: digest } },
      unsigned: { file },
    });
  });

  test("the digest finalizes, once; later another one is refused", async () => {
    const args = [...finalize, "--expect-digest", digest.toUpperCase(), "--yes"];
    const finalized = { file: null, verification: { agrees: true, isFinalized: true, sha256: { chain: digest } } };
    expect(await folder.ok(args)).toMatchObject({ ...finalized, transaction: { hash: /./ } });
    expect(await folder.ok(args)).toMatchObject({ ...finalized, transaction: null });
    const late = await refusal("--expect-digest", "ab".repeat(32), "--yes");
    expect(late).toMatchObject({ error: { code: "STAGE_FINALIZED", exit: 3 } });
  });
});
