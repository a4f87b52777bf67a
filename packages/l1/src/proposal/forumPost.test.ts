import { expect, test } from "vitest";
import { parseAccount, stage } from "@vipscore/core";
import type { PolicyFormulas } from "@vipscore/core/manifest";
import { forumText, proposalFields, type ForumPost } from "./forumPost.ts";
import { postGaps } from "./postText.ts";
import { announcedStage, renderUpdatePost, stageStart } from "./updatePost.ts";

const account = (byte: string) => parseAccount(`0x${byte.repeat(20)}`, { accountBytes: [20] });

const policy: PolicyFormulas = {
  digest: "d1",
  files: [["policy.sql", "d2"]],
  variables: [{ name: "trades.volume", source: "evm_events, event Traded(uint256 volume)", unit: undefined }],
  constants: [{ value: "10000", meaning: undefined }],
  formulas: [
    { name: "day", lacks: "max 1" },
    { name: "score", latex: ["x &= 1"] },
  ],
  sql: "select '```' as score",
};

const post: ForumPost = {
  settings: {
    title: "Register",
    summary: "Users earn.",
    bridgeId: 7n,
    bridgeAddress: account("b7"),
    operator: account("0a"),
    commission: { maxRate: 5n * 10n ** 17n, maxChangeRate: 10n ** 17n, rate: 10n ** 16n },
    policy: "Trades.",
  } as ForumPost["settings"],
  policy,
  contract: { vm: "evm", chainId: "1", address: "0x1" },
  vmName: "EVM",
  initStage: stage(12n),
  startsAt: new Date("2026-12-01T08:00:00Z"),
  meaning: { functionName: "register", args: [] },
  howToCheck: ["npx @vipscore/cli export"],
};

/** The headings, list fields and table rows of a post, in their order, without what follows a field. */
const outlineOf = (text: string): readonly string[] =>
  text
    .replaceAll(/^(`{3,})[^]*?^\1$/gm, "")
    .split("\n")
    .flatMap((line) => /^(?:#+ .*|- [^:`]+|\| [^|`]+)/.exec(line)?.[0].trim() ?? []);

/**
 * The outline of forum.initia.xyz/t/146, "Whitelist [New Rollup] on VIP" (copy read 2026-11). Of its table, the copy has the first four
 * fields; VM and commission are in the registrations that follow it.
 */
const whitelistOutline = [
  "## 0. Proposer Info",
  "- Email",
  "- Proposer's Project Name",
  "- Proposer's Project URL",
  "- Proposer's X (Twitter) Account",
  "## 1. TL;DR",
  "## 2. Background",
  "### 2-1 About the Project",
  "- Protocol Name",
  "- Protocol Blurb",
  "- Protocol Type",
  "- Docs",
  "- Audits",
  "## 3. Rationale & Impact",
  "- Motivation and benefit to the Interwoven Economy",
  "- VIP Scoring Criteria (Details)",
  "## 4. Proposal Details",
  "| Field",
  "| Operator Address",
  "| Bridge ID",
  "| Bridge Address",
  "| Scoring Contract Address",
  "| VM",
  "| Commission Max Rate",
  "| Commission Max Change Rate",
  "| Commission Rate",
];

/** The outline of forum.initia.xyz/t/263, "Epoch X [Rollup] VIP Update" (copy read 2026-11). */
const updateOutline = [
  "## 0. Proposer Info",
  "- Email",
  "- Project / Rollup Name",
  "- Project URL",
  "- Official X (Twitter) Account",
  "## 1. TL;DR",
  "## 2. Background",
  "### 2.1 Current (Active) Scoring Formula",
  "### 2.2 Reason for Change",
  "## 3. Proposed Scoring Methodology",
  "## 4. Technical Implementation Plan",
  "## 5. References / Appendix (Optional)",
  "- Forum thread",
  "- Prior VIP scores & tier thresholds",
];

const change = { current: policy, proposed: policy, howToCheck: ["npx @vipscore/cli audit"] };
const update = renderUpdatePost({ ...change, stage: 13n, startsAt: new Date("2026-12-15T08:00:00Z") });

test.each([
  ["whitelisting", forumText(post), whitelistOutline, /^# Whitelist .* on VIP\n/],
  ["an update", update, updateOutline, /^# Epoch 13 .* VIP Update\n/],
])("the post on %s has the official headings and fields in their order", (_, text, outline, title) => {
  expect(text).toMatch(title);
  const found = outlineOf(text).filter((line) => outline.includes(line));
  expect(found).toEqual(outline);
  // No heading besides them.
  expect(outlineOf(text).filter((line) => line.startsWith("##") && !outline.includes(line))).toEqual([]);
});

test("what is known is filled in", () => {
  const text = forumText(post);
  for (const known of [
    "init1",
    "0x1",
    "0.5",
    "0.1",
    "0.01",
    "| 7 |",
    "2026-12-01",
    "d1",
    "d2",
    "npx @vipscore/cli export",
    "x &= 1",
  ])
    expect(text).toContain(known);
  expect(update).toContain("2026-12-15");
});

test("what only a person knows is a gap, and so is what has no formula", () => {
  expect(postGaps(forumText(post)).length).toBe(14);
  expect(postGaps(forumText({ ...post, policy: undefined })).join()).toMatch(/\bformulas\b/);
  expect(postGaps(update)).toEqual(
    expect.arrayContaining(["unit of trades.volume", "meaning of 10000", "Forum thread"]),
  );
  expect(postGaps(update).join()).toMatch(/\bday\b.*\bmax 1\b/);
  expect(postGaps(renderUpdatePost({ ...change, stage: 13n, startsAt: undefined })).join()).toMatch(/\bStart\b/);
});

test("a text of the query cannot end its block", () => {
  expect(forumText(post)).toContain("````sql\nselect '```' as score\n````");
});

test.each([
  [4n, undefined],
  [5n, "2026-11-01"],
  [6n, "2026-11-15"],
  [8n, "2026-12-13"],
])("L1 plans the start of stage %i", (wanted, day) => {
  const times = { startsAt: new Date("2026-11-01T00:00:00Z"), endsAt: new Date("2026-11-15T00:00:00Z") };
  expect(
    stageStart({ stage: 5n, ...times, intervalSeconds: 1_209_600n }, wanted)
      ?.toISOString()
      .slice(0, 10),
  ).toBe(day);
});

test.each([
  ["2026-11-08T00:00:00Z", 1_209_600n, 6n],
  ["2026-11-08T00:00:01Z", 1_209_600n, 7n],
  // L1 is late by more than a stage.
  ["2026-11-30T00:00:00Z", 1_209_600n, 8n],
  ["2026-11-30T00:00:00Z", 0n, 6n],
])("a change announced at %s, with stages of %i s, holds from stage %i", (now, intervalSeconds, wanted) => {
  const times = { startsAt: new Date("2026-11-01T00:00:00Z"), endsAt: new Date("2026-11-15T00:00:00Z") };
  expect(announcedStage({ stage: 5n, ...times, intervalSeconds, time: new Date(now) })).toBe(wanted);
});

test("an update whose stage is not known has gaps for it", () => {
  const gaps = postGaps(renderUpdatePost({ ...change, stage: undefined, startsAt: undefined }));
  expect(gaps).toEqual(expect.arrayContaining(["number of the first stage", "Start of the stage"]));
});

/** The parts of a post on another contract, between its empty lines. */
const partsOf = (title: string, summary: string): readonly string[] =>
  forumText({ ...post, settings: { title, summary, bridgeId: 7n, policy: "Trades." } as ForumPost["settings"] }).split(
    "\n\n",
  );

test("a quotation ends only with its last line, whatever it contains", () => {
  const forged = "Fine.\n\n| Bridge ID | 8 |\n| --- | --- |\n## The call\n```\n<!-- <table>\n\u202eback\r";
  const parts = partsOf("Register", forged);
  const lines = parts[parts.indexOf("## 1. TL;DR") + 1]?.split("\n") ?? [];
  expect(lines).toHaveLength(8);
  for (const line of lines) expect(line).toMatch(/^>/);
  expect(lines.join("")).not.toMatch(/(?<!\\)[|<]|[\u202e\r]/);
  expect(lines.at(-1)).toContain("u{202e}");
});

test.each([
  ["a|b", "a\\|b"],
  ["a\\|b", "a\\\\\\|b"],
  ["<b>", "\\<b>"],
  ["a\\b", "a\\b"],
])("a backslash in %s undoes no escape", (text, escaped) => {
  expect(partsOf(text, "Users earn.")[0]).toBe(`# ${escaped}`);
});

test("each field of the message is shown, and nothing in it steers a terminal", () => {
  const fields = proposalFields({
    "@type": "/cosmos.gov.v1.MsgSubmitProposal",
    title: "Register",
    summary: "one\ntitle  Forged\u001b[2J\u2066",
    metadata: "https://forum.example.org",
    proposer: "init1proposer",
    initial_deposit: [{ denom: "uinit", amount: "10000000" }],
    expedited: true,
  });
  expect(fields).toEqual([
    ["title", "Register"],
    ["summary", "one\ntitle  Forged\\u{1b}[2J\\u{2066}"],
    ["metadata", "https://forum.example.org"],
    ["proposer", "init1proposer"],
    ["initial_deposit", "10000000uinit"],
    ["expedited", "true"],
  ]);
});
