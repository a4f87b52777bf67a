import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@initia/initia.js";
import { expect, test } from "vitest";
import { readVipSnapshot } from "@vipscore/l1";
import { codeOf, csvOf, type CliResult, type TestFolder } from "./harness.ts";
import { useRollup, type LocalL1 } from "./localL1.ts";
import { broadcastFile } from "./proposalL1.ts";
import { bridgeAddress, contractFields, settingsOf } from "./proposalSettings.ts";

const bridgeId = 4n;
let l1: LocalL1;
let folder: TestFolder;
useRollup({ vm: "move", bridge: { id: bridgeId, address: bridgeAddress } }, async (...started) => {
  [l1, folder] = started;
  const contract = await folder.deploy(2);
  await l1.register(bridgeId, contract, 0n);
  await folder.write("settings.json", settingsOf(contract, bridgeId, contractFields));
  await folder.write("scores.csv", csvOf(3));
  await l1.call("advance_stage");
  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  await l1.call("advance_stage");
});

async function challenge(...more: readonly string[]): Promise<CliResult> {
  await rm(join(folder.cwd, "tx.json"), { force: true });
  const args = ["proposal", "challenge", "--stage", "2", "--settings", "settings.json", "--out", "tx.json", "--json"];
  return folder.cli([...args, ...more]);
}

const setChallengePeriod = (seconds: bigint): Promise<void> =>
  l1.call("set_parameters", ...[1_209_600n, 26n, seconds, 0n].map((value) => bcs.u64().serialize(value)));
const onL1 = () =>
  readVipSnapshot({
    l1RestUrl: l1.endpoint.restUrl,
    vipAddress: l1.endpoint.vipAddress,
    bridgeId,
    version: 1n,
    stage: 2n,
  });

test("a stage that is not finalized, or has no snapshot, is not challenged", async () => {
  expect(codeOf(await challenge())).toBe("CHALLENGE_NEEDLESS");
  await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
  expect(codeOf(await challenge())).toBe("CHALLENGE_NEEDLESS");
});

test("a challenge that no vote can execute in time is refused", async () => {
  await l1.submit(bridgeId, 2n, "ab".repeat(32), 1n);
  await setChallengePeriod(0n);
  expect(codeOf(await challenge())).toBe("CHALLENGE_LATE");
  expect(codeOf(await challenge("--expedited"))).toBe("CHALLENGE_LATE");
  await setChallengePeriod(86_400n);
});

test("a challenge, signed and sent, puts the contract's root in the place of L1's, and keeps the agent", async () => {
  const before = await folder.cli(["snapshot", "--stage", "2", "--json"]);
  expect(codeOf(before)).toBe("SNAPSHOT_DIFFERS");
  const written = await challenge("--sign");
  expect(written.json()).toMatchObject({ command: "proposal challenge", call: { function: "execute_challenge" } });
  expect(written.stderr).toMatch(/^warning .*\bUTC\b/m);
  expect(await broadcastFile(l1, folder.cwd, "tx.json")).toBe("");
  await expect.poll(async () => (await onL1())?.root).not.toBe("ab".repeat(32));
  expect(await folder.ok(["snapshot", "--stage", "2"])).toMatchObject({ l1: { status: "matches" } });
  expect(codeOf(await challenge())).toBe("CHALLENGE_NEEDLESS");
  // The agent goes on.
  await l1.call("advance_stage");
  await l1.submit(bridgeId, 3n, "cd".repeat(32), 2n);
});

test("an expedited challenge says so, and names its deposit", async () => {
  await folder.write("scores3.csv", csvOf(2));
  await folder.ok(["push", "scores3.csv", "--stage", "3"]);
  await folder.ok(["finalize", "--stage", "3", "--file", "scores3.csv", "--yes"]);
  const result = await challenge("--stage", "3", "--expedited", "--sign", "--forum", "forum.md");
  expect(result.status).toBe(0);
  // Voters compare both roots.
  const forum = await readFile(join(folder.cwd, "forum.md"), "utf8");
  const [wrong, right, ...others] = [...forum.matchAll(/\broot ([0-9a-f]{64}), total (\d+)\b/g)].map((found) =>
    found.slice(1),
  );
  expect([wrong, right, others]).toEqual([
    ["cd".repeat(32), "2"],
    [expect.not.stringMatching(/^(?:cd)+$/), "2001"],
    [],
  ]);
  // Its deposit is five times as large.
  expect(result.stderr).toMatch(/^warning .*\b50000000umin\b/m);
  expect(await broadcastFile(l1, folder.cwd, "tx.json")).toBe("");
});
