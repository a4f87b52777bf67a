import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CliResult, TestFolder } from "./harness.ts";
import { useRollup } from "./localL1.ts";
import { bridgeAddress, settingsOf } from "./proposalSettings.ts";

const bridgeId = 7n;
const actions = [
  { title: "Trade", description: "Trade on the exchange." },
  { title: "Supply", description: "Supply INIT." },
];
/** Has what the registry demands, a field that it does not know, and nothing of VIP. */
const profile = {
  $schema: "../profile.schema.json",
  name: "example",
  pretty_name: "Example",
  chain_id: "vipnode-move-1",
  category: "DeFi",
  tags: ["Trading"],
  l2: true,
  description: "d".repeat(140),
  summary: "\u{1f600}".repeat(50),
  logo: "https://example.org/example.png",
  color: "#42F771",
  status: "live",
  social: { website: "https://example.org", twitter: "https://x.com/example" },
  op_bridge_id: "7",
  "another field": [1, { of: null }],
};

let folder: TestFolder;
let contract: string;
useRollup({ vm: "move", bridge: { id: bridgeId, address: bridgeAddress } }, async (...started) => {
  [, folder] = started;
  contract = await folder.deploy(2);
});

async function propose(content: object, more: object = { actions }): Promise<CliResult> {
  for (const name of ["tx.json", "profile.vip.json"]) await rm(join(folder.cwd, name), { force: true });
  await folder.write("profile.json", JSON.stringify(content));
  await folder.write("proposal.json", settingsOf(contract, bridgeId, more));
  return again();
}

const again = (): Promise<CliResult> =>
  folder.cli("proposal register --settings proposal.json --registry profile.json --out tx.json --json".split(" "));
const written = (): Promise<string> => readFile(join(folder.cwd, "profile.vip.json"), "utf8");

test("the actions and the forum's URL, after the status; everything else is as it was", async () => {
  const result = await propose(profile);
  expect(result.json()).toMatchObject({ files: ["tx.json", "profile.vip.json"] });
  expect(result.stderr).not.toMatch(/\bvip\.(actions|forum_url)\b/);
  const text = await written();
  const { vip, ...others } = JSON.parse(text) as Record<string, unknown>;
  expect(vip).toEqual({ forum_url: "https://forum.example.org/t/1", actions });
  expect(JSON.stringify(others)).toBe(JSON.stringify(profile));
  expect(text).toMatch(/"status": "live",\n {2}"vip": \{\n {4}"forum_url": /);
  expect(text).toMatch(/\n\}\n$/);
  expect(await readFile(join(folder.cwd, "profile.json"), "utf8")).toBe(JSON.stringify(profile));
});

test("a file that exists is not overwritten", async () => {
  await propose(profile);
  await rm(join(folder.cwd, "tx.json"));
  const result = await again();
  expect(result.json()["error"]).toMatchObject({
    code: "FILE_UNWRITABLE",
    message: expect.stringContaining("profile.vip.json") as unknown,
  });
});

test("other actions are replaced, with a warning; metadata that is not a URL leaves the forum's URL", async () => {
  const vip = { points: 1, actions: [{ title: "Old" }], forum_url: "https://forum.example.org/t/1" };
  const result = await propose({ vip, ...profile }, { actions, metadata: "a text" });
  expect(result.stderr).toMatch(/^warning .*\bvip\.actions\b/m);
  expect(result.stderr).not.toContain("vip.forum_url");
  expect(await written()).toMatch(/^\{\n {2}"vip": /);
  expect(JSON.parse(await written())).toEqual({ ...profile, vip: { ...vip, actions } });
  const same = await propose({ ...profile, vip: { actions } });
  expect(same.stderr).not.toMatch(/\bvip\.(actions|forum_url)\b/);
});

test.each([
  ["actions", profile, {}],
  ["actions", profile, { actions: [] }],
  ["actions[1].description", profile, { actions: [{ title: "Trade" }] }],
  ["actions[2].title", profile, { actions: [...actions.slice(1), { title: " ", description: "x" }] }],
  ["status", { ...profile, status: undefined }],
  ["category", { ...profile, category: "Finance" }],
  ["description", { ...profile, description: "d".repeat(141) }],
  ["summary", { ...profile, summary: "s".repeat(51) }],
  ["tags", { ...profile, tags: ["a", "b", "c", "d"] }],
  ["tags[1]", { ...profile, tags: ["a tag too long"] }],
  ["logo", { ...profile, logo: "https://example.org/logo.svg" }],
  ["color", { ...profile, color: "green" }],
  ["l2", { ...profile, l2: "true" }],
  ["social.twitter", { ...profile, social: { twitter: "https://twitter.com/example" } }],
  ["vip.forum_url", { ...profile, vip: { forum_url: "forum" } }],
  ["vip.actions[1].title", { ...profile, vip: { actions: [{ title: 1 }] } }],
  ["chain_id", { ...profile, chain_id: "another-1" }],
  ["op_bridge_id", { ...profile, op_bridge_id: "8" }],
])("what the registry refuses, or another rollup's: %s", async (field, content, more = { actions }) => {
  const result = await propose(content, more);
  const message = expect.stringContaining(`: ${field} `) as unknown;
  expect(result.json()["error"]).toMatchObject({ code: "PROPOSAL_INVALID", message });
  await expect(written()).rejects.toMatchObject({ code: "ENOENT" });
});
