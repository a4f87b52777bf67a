import { expect, test } from "vitest";
import {
  checkScores,
  openSources,
  policyChecks,
  readPolicy,
  runPolicy,
  type PolicyCheck,
  type PolicyFinding,
  type ScoreFacts,
} from "../src/index.ts";
import { alice, bob, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

const object = `0x${"ab".repeat(32)}`;
const nothingKnown: ScoreFacts = { contracts: undefined, team: undefined, dropped: "" };

/** Runs a policy over points and checks what it gives. */
async function check(
  { points, settings = "", exclude }: { points: string; settings?: string; exclude?: string },
  facts: ScoreFacts = nothingKnown,
): Promise<Readonly<Partial<Record<PolicyCheck, PolicyFinding>>>> {
  const excluding = exclude === undefined ? "" : 'exclude = "exclude.csv"\n';
  await using folder = await openPolicyFolder({
    "policy.toml": `${excluding}${settings}\n${pointsPolicy["policy.toml"]}`,
    "points.csv": `address,points\n${points}`,
    ...(exclude === undefined ? {} : { "exclude.csv": `address\n${exclude}` }),
  });
  const policy = await readPolicy(folder.path);
  const findings = await checkScores(policy, await runPolicy(policy, openSources(policy)), facts);
  expect(findings.map(({ check: name }) => name)).toEqual(policyChecks);
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

test("burn addresses cannot claim, also without an endpoint; their share is named", async () => {
  const dead = `0x${"dead".padStart(40, "0")}`;
  const { claimants } = await check({ points: `${alice},50\n${dead},40\n` });
  expect(claimants).toMatchObject({
    state: "warning",
    text: "burn addresses, which nobody has the key of, have 44.44% of the total: 0x000000000000000000000000000000000000dEaD",
    accounts: [{ account: dead, score: 40n }],
  });
});

test("contracts and objects cannot claim", async () => {
  const points = `${alice},1\n${object},2\n${bob},3\n`;
  const { claimants } = await check({ points }, { ...nothingKnown, contracts: new Set([bob]) });
  expect(claimants?.accounts.map(({ account }) => account)).toEqual([bob, object]);
  expect((await check({ points: `${alice},1\n` })).claimants?.state).toBe("skipped");
  expect((await check({ points: `${alice},1\n` }, { ...nothingKnown, contracts: new Set() })).claimants?.state).toBe(
    "ok",
  );
});

test("a stated share is a limit, exactly", async () => {
  const points = `${alice},1\n${bob},3\n`;
  expect((await check({ points }))["largest-share"]).toMatchObject({ state: "skipped" });
  const { "largest-share": exact } = await check({ points, settings: "max_share_percent = 75" });
  expect(exact).toMatchObject({ state: "ok", text: expect.stringContaining("75.00%") });
  const { "largest-share": above } = await check({ points, settings: "max_share_percent = 74" });
  expect(above).toMatchObject({ state: "forbidden", accounts: [{ account: bob, score: 3n }] });
});

test("a total from 2^53 on is rounded by clients", async () => {
  expect((await check({ points: `${alice},${2n ** 53n - 1n}\n` })).total?.state).toBe("ok");
  expect((await check({ points: `${alice},${2n ** 53n}\n` })).total?.state).toBe("warning");
});
