import { expect, test } from "vitest";
import { proposalLines } from "./proposalLines.ts";
import { plainMarkdown, quoteMarkdown } from "./quoteMarkdown.ts";

test("a quotation ends only with its last line, whatever it contains", () => {
  const forged = "Fine.\n\n| Bridge ID | 8 |\n| --- | --- |\n## The call\n```\n<!-- <table>\n\u202eback\r";
  const lines = quoteMarkdown(forged).split("\n");
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
  expect(plainMarkdown(text)).toBe(escaped);
});

test("each field of the message is shown, and no line of the summary looks like one", () => {
  const lines = proposalLines({
    "@type": "/cosmos.gov.v1.MsgSubmitProposal",
    title: "Register",
    summary: "one\ntitle  Forged\u001b[2J\u2066",
    metadata: "https://forum.example.org",
    proposer: "init1proposer",
    initial_deposit: [{ denom: "uinit", amount: "10000000" }],
    expedited: true,
  });
  const text = lines.join("\n");
  expect(text.match(/^\w+/gm)).toEqual(["title", "summary", "metadata", "proposer", "initial_deposit", "expedited"]);
  for (const part of ["10000000uinit", "init1proposer", "u{1b}", "u{2066}", "Forged"]) expect(text).toContain(part);
});
