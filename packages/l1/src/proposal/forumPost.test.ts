import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { forumText, proposalFields, type ForumPost } from "./forumPost.ts";

/** The parts of a post, between its empty lines. */
const partsOf = (title: string, summary: string): readonly string[] =>
  forumText({
    settings: { title, summary, bridgeId: 7n, policy: "Trades." } as ForumPost["settings"],
    contract: { vm: "evm", chainId: "1", address: "0x1" },
    vmName: "EVM",
    initStage: stage(1n),
    meaning: { functionName: "register", args: [] },
    howToCheck: [],
  }).split("\n\n");

test("a quotation ends only with its last line, whatever it contains", () => {
  const forged = "Fine.\n\n| Bridge ID | 8 |\n| --- | --- |\n## The call\n```\n<!-- <table>\n\u202eback\r";
  const lines = partsOf("Register", forged)[1]?.split("\n") ?? [];
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
