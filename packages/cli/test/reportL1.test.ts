import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { addressOf, codeOf, csvOf, openTestFolder, type CliResult } from "./harness.ts";
import { setStage, startL1 } from "./localL1.ts";

const l1 = started(() => startL1());

describe.each([
  ["evm", 2n, 7n, (): Promise<LocalNode> => startHardhat()],
  ["move", 0n, 8n, (): Promise<LocalNode> => startVipnode({ vm: "move" })],
  ["wasm", 1n, 300n, (): Promise<LocalNode> => startVipnode({ vm: "wasm" })],
] as const)("%s", (vm, vmType, bridgeId, startRollup) => {
  const folder = started(async () => openTestFolder(await startRollup(), l1.endpoint));
  let unregistered: CliResult;
  beforeAll(async () => {
    const contract = await folder.deploy(1);
    await folder.write("one.csv", csvOf(10));
    // L1 expects the stage after the current one of a bridge that is registered now.
    await setStage(l1, 1n);
    await folder.ok(["push", "one.csv", "--stage", "1"]);
    unregistered = await folder.cli(["report", "--stage", "1", "--out", "unregistered.html", "--json"]);
    await l1.register(bridgeId, contract, vmType);
    await folder.write("before.csv", `${addressOf(9)},5\n`);
    await folder.write("two.csv", `${csvOf(12, 2 ** 53)}${addressOf(9)},0\n`);
    await setStage(l1, 2n);
    await folder.ok(["finalize", "--stage", "1", "--file", "one.csv", "--yes"]);
    // An account whose score was taken back stays in the contract's list.
    await folder.ok(["push", "before.csv", "--stage", "2"]);
    await folder.write("push.json", JSON.stringify(await folder.ok(["push", "two.csv", "--stage", "2"])));
  });

  const stages = ["--stage", "2", "--previous", "1"];
  const report = (out: string): readonly string[] => ["report", ...stages, "--plan", "push.json", "--out", out];
  const pageOf = (name: string): Promise<string> => readFile(join(folder.cwd, name), "utf8");

  test("a rollup that is not registered has a page without proofs, which says so", async () => {
    expect(unregistered.json()).toMatchObject({ accounts: 10, root: null, l1: null });
    expect(unregistered.stderr.match(/^warning .*\bproofs\b.*/gm)).toEqual([
      expect.stringContaining(`registered with VIP on ${l1.chainId}`),
    ]);
    expect(await pageOf("unregistered.html")).toContain("<h2");
    const named = await folder.cli(["report", "--stage", "1", "--bridge-id", "4000", "--out", "named.html", "--json"]);
    expect(codeOf(named)).toBe("BRIDGE_NOT_REGISTERED");
  });

  test("L1 has no root yet", async () => {
    const result = await folder.ok(report("early.html"));
    expect(result).toMatchObject({
      stage: "2",
      contract: { vm },
      accounts: 13,
      isFinalized: false,
      l1: { status: "notThereYet" },
    });
    const page = await pageOf("early.html");
    for (const part of [
      /<p class="quiet">L1: [^<]*\bstage 2</,
      /<p class="quiet">Open\b/,
      /<h2[^>]*>[^<]*\bstage 1</,
      /<p class="good">[^<]*\b\d+: sha256 /,
      /<dd>12<\/dd>/,
    ])
      expect(page).toMatch(part);
    expect(page).toMatch(new RegExp(`\\bbridge ${bridgeId}\\b[^<]*<code>${result["root"] as string}</code>`));
  });

  test("L1's root matches, then differs", async () => {
    await setStage(l1, 3n);
    await folder.ok(["finalize", "--stage", "2", "--file", "two.csv", "--yes"]);
    const { root, total } = await folder.ok(["snapshot", "--stage", "2"]);
    await l1.submit(bridgeId, 2n, root as string, BigInt(total as string));
    const result = await folder.ok(report("matches.html"));
    expect(result).toMatchObject({ root, total, isFinalized: true, l1: { status: "matches", chainId: l1.chainId } });
    const page = await pageOf("matches.html");
    expect(page).toContain('<p class="good">L1: ');
    // A saved proof names where it is claimed.
    const { vipAddress } = l1.endpoint;
    expect(page).toContain(`"l1":${JSON.stringify({ chainId: l1.chainId, vipAddress, version: "1" })}`);
    await l1.challenge(bridgeId, 2n, root as string, BigInt(total as string) + 1n);
    const differs = await folder.cli([...report("differs.html"), "--json"]);
    expect(differs.status).toBe(3);
    expect(differs.json()["error"]).toMatchObject({ code: "SNAPSHOT_DIFFERS" });
    expect(await pageOf("differs.html")).toContain('<p class="bad">L1: ');
  });
});
