import { expect, test } from "vitest";
import { printableLines, printableText, toJson } from "./printable.ts";

/** Control sequences of terminals: CSI, OSC, C1, DEL, a carriage return, a reversed line, an invisible tag. */
const steering = [
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "\u009d0;title\u009c",
  "\u007f",
  "\r",
  "\u202e",
  "\u{e0041}",
  "\u2028",
];

test.each(steering)("makes %j harmless in a line, in lines and in JSON", (text) => {
  const obeyed = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  expect(printableText(`a${text}b`)).not.toMatch(obeyed);
  expect(printableLines(`a${text}b\nc`)).not.toMatch(obeyed);
  expect(printableLines(`a${text}b\nc`)).toMatch(/^a.*b\nc$/);
  const json = toJson({ [text]: `a${text}b` }, (item) => item);
  expect(json).not.toMatch(obeyed);
  expect(JSON.parse(json)).toEqual({ [text]: `a${text}b` });
});

test("keeps line feeds between lines, and replaces them within a line", () => {
  expect(printableLines("one\r\n\ttwo\nthree\n")).toBe("one\n\ttwo\nthree\n");
  expect(printableText("one\n\ttwo")).toBe("one\u{FFFD}\u{FFFD}two");
});

test.each([
  ["::error::x", "\\::error::x"],
  ["fine\n  ::add-mask::x", "fine\n  \\::add-mask::x"],
  ["\n\u00a0::stop-commands::x", "\n\u00a0\\::stop-commands::x"],
  ["\r::error::x", "\u{FFFD}::error::x"],
  ["a ##[group]x", "a #\\#[group]x"],
  ["##vso[task.setvariable]x", "#\\#vso[task.setvariable]x"],
  ["Details: a::b, [::1]:8545", "Details: a::b, [::1]:8545"],
])("%j is not a command to a CI system", (text, shown) => {
  expect(printableLines(text)).toBe(shown);
});

test("JSON contains no command to a CI system either", () => {
  const json = toJson({ text: "##[error]x ##vso[y]z" }, (item) => item);
  expect(json).not.toMatch(/##\w*\[/);
  expect(JSON.parse(json)).toEqual({ text: "##[error]x ##vso[y]z" });
});

test("handles many blank lines in linear time", () => {
  const text = " \n".repeat(200_000);
  expect(printableLines(text)).toBe(text);
});
