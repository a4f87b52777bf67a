import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readVipSnapshot } from "@vipscore/l1";
import { startVipnode } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { codeOf, csvOf, openTestFolder, type TestFolder } from "./harness.ts";
import { useRollup, type LocalL1 } from "./localL1.ts";
import { bridgeAddress } from "./proposalSettings.ts";

const bridgeId = 7n;
let l1: LocalL1;
let folder: TestFolder;
useRollup({ vm: "move", bridge: { id: bridgeId, address: bridgeAddress } }, async (...started) => {
  [l1, folder] = started;
  await folder.write("scores.csv", csvOf(5));
  await folder.write("empty.csv", "address,score\n");
});

const refused = async (...args: readonly string[]): Promise<unknown> =>
  codeOf(await folder.cli(["practice", ...args, "--json"]));

test("a rollup that is not registered has no snapshots", async () => {
  await folder.deploy(2);
  expect(await refused("snapshot")).toBe("BRIDGE_NOT_REGISTERED");
  const named = ["snapshot", "--stage", "2", "--bridge-id", `${bridgeId}`];
  expect(await folder.ok([...named, "--out", "early.json"])).toMatchObject({ bridgeId: "7", file: "early.json" });
  const remote = ["--l1-rest-url", l1.endpoint.restUrl, "--vip-address", l1.endpoint.vipAddress];
  expect(codeOf(await folder.cli([...named, ...remote, "--json"]))).toBe("BRIDGE_NOT_REGISTERED");
});

test("the agent takes the finalized stages in order, each once, also an empty one", async () => {
  await l1.register(bridgeId, await folder.deploy(2), 0n);
  expect(await folder.ok(["practice", "stage"])).toMatchObject({ stage: "2" });
  await folder.ok(["push", "scores.csv", "--stage", "2"]);
  for (const stage of ["3", "4", "5"]) expect(await folder.ok(["practice", "stage"])).toMatchObject({ stage });
  expect(await folder.ok(["practice", "snapshot"])).toMatchObject({ snapshots: [] });
  await folder.ok(["finalize", "--stage", "2", "--file", "scores.csv", "--yes"]);
  await folder.ok(["finalize", "--stage", "3", "--file", "empty.csv", "--yes"]);
  const rows = (await folder.ok(["export", "--stage", "2"]))["scores"] as unknown as readonly {
    readonly address: string;
    readonly score: string;
  }[];
  const scores = rows.map(({ address, score }) => ({ account: address, score: BigInt(score) }));
  const root = naiveRoot({ bridgeId, stage: 2n, rows: scores });
  expect(await folder.ok(["practice", "snapshot"])).toMatchObject({
    bridgeId: "7",
    version: "1",
    snapshots: [
      { stage: "2", root, total: `${scores.reduce((sum, { score }) => sum + score, 0n)}` },
      { stage: "3", root: null, total: "0" },
    ],
  });
  expect(await folder.ok(["practice", "snapshot"])).toMatchObject({ snapshots: [] });
  const { restUrl: l1RestUrl, vipAddress } = l1.endpoint;
  const onL1 = await readVipSnapshot({ l1RestUrl, vipAddress, bridgeId, version: 1n, stage: 2n });
  expect(onL1?.root).toBe(root);
});

test("after the period, L1 takes a claim", async () => {
  await folder.ok(["snapshot", "--stage", "2", "--bridge-id", "7", "--out", "proofs.json"]);
  const [, row = ""] = csvOf(1).split("\n");
  const claim = ["claim", "--proofs", "proofs.json", "--address", row.split(",")[0] ?? "", "--out", "claim.json"];
  expect(codeOf(await folder.cli([...claim, "--json"]))).toBe("CLAIM_INVALID");
  await folder.ok(["practice", "period"]);
  expect(await folder.ok(claim)).toMatchObject({ isSigned: false });
});

test("what L1 refuses to take is refused with its reason", async () => {
  // Without a signature, then with a wrong one.
  const unsigned = await folder.cli(["practice", "send", "claim.json", "--json"]);
  expect(unsigned.json()["error"]).toMatchObject({ code: "INPUT_INVALID", hints: [expect.stringMatching(/--sign/)] });
  const claim = JSON.parse(await readFile(join(folder.cwd, "claim.json"), "utf8")) as object;
  await folder.write("forged.json", JSON.stringify({ ...claim, signatures: ["AAAA"] }));
  expect(await refused("send", "forged.json")).toBe("TRANSACTION_FAILED");
  await folder.write("list.json", "[]");
  expect(await refused("send", "list.json")).toBe("INPUT_INVALID");
  expect(await refused("send", "none.json")).toBe("FILE_UNREADABLE");
});

test("only the L1 that runs for the folder", async () => {
  await using alone = await openTestFolder(await startVipnode({ vm: "move" }));
  const env = { L1_REST_URL: l1.endpoint.restUrl, VIP_ADDRESS: l1.endpoint.vipAddress };
  for (const args of [["stage"], ["snapshot"], ["period"], ["send", "claim.json"]]) {
    const result = await alone.cli(["practice", ...args, "--json"], { env });
    expect(codeOf(result)).toBe("CONFIG_INVALID");
  }
});
