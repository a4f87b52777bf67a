import type { InputIssueReason } from "@vipscore/core";
import { addressOf } from "./harness.ts";

/** A file that must be refused. */
export interface HostileFile {
  readonly title: string;
  /** The name determines the format. */
  readonly name: "scores.csv" | "scores.json" | "scores.jsonl";
  readonly content: string | Uint8Array;
  /** The expected issues, in order; without a row if they concern the whole file. */
  readonly issues: readonly (readonly [reason: InputIssueReason, row?: number])[];
}

const good = addressOf(1);
const checksummed = "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475";
const sameBech32 = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
const deep = "[".repeat(100_000);
const closedDeep = deep + "]".repeat(100_000);
/** Shorter than the longest allowed row, and deeper than the parser's limit. */
const nested = "[".repeat(30_000) + "]".repeat(30_000);
const csi = "\u001b[2J\u001b[31m";
const osc = "\u001b]0;owned\u0007";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

type Case = readonly [
  title: string,
  content: string | Uint8Array,
  ...issues: readonly (readonly [reason: InputIssueReason, row?: number])[],
];

/** An invalid row between two valid ones. */
const row = (title: string, text: string, reason: InputIssueReason): Case => [
  title,
  `${addressOf(11)},1\n${text}\n${addressOf(12)},1\n`,
  [reason, 2],
];
const score = (text: string, reason: InputIssueReason = "SCORE_INVALID"): Case =>
  row(`score ${JSON.stringify(text)}`.slice(0, 60), `${good},${text}`, reason);
const address = (text: string, reason: InputIssueReason): Case =>
  row(`address ${JSON.stringify(text)}`.slice(0, 60), `${text},5`, reason);
/** The same in a JSON array and in JSON Lines. */
const element = (title: string, text: string, reason: InputIssueReason): Case => [
  title,
  `["${addressOf(11)}",1]\u0000${text}\u0000["${addressOf(12)}",1]`,
  [reason, 2],
];

const csv: readonly Case[] = [
  ["a byte that is not UTF-8", bytes(`${good},`, [0xff], "\n"), ["FILE_BINARY"]],
  ["a continuation byte alone", bytes(`${good},5`, [0x80], "\n"), ["FILE_BINARY"]],
  ["an overlong character", bytes(`${good},5`, [0xc0, 0xaf], "\n"), ["FILE_BINARY"]],
  ["a surrogate in UTF-8", bytes(`${good},5`, [0xed, 0xa0, 0x80], "\n"), ["FILE_BINARY"]],
  ["a character that is cut off", bytes(`${good},5`, [0xe2, 0x82]), ["FILE_BINARY"]],
  ["UTF-16, little end first", bytes([0xff, 0xfe], Buffer.from(`${good},5`, "utf16le") as never), ["FILE_BINARY"]],
  ["UTF-16, big end first", bytes([0xfe, 0xff, 0, 0x30]), ["FILE_BINARY"]],
  ["UTF-16 without a mark", Buffer.from(`${good},5\n`, "utf16le"), ["FILE_BINARY"]],
  ["NUL in a score", `${good},5\u0000\n`, ["FILE_BINARY"]],
  ["NUL at the end", `${good},5\n\u0000`, ["FILE_BINARY"]],
  ["an image", bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), ["FILE_BINARY"]],
  ["nothing", "", ["FILE_EMPTY"]],
  ["a mark and nothing", "\uFEFF", ["FILE_EMPTY"]],
  ["blank lines", " \n\n\t\n", ["FILE_EMPTY"]],
  ["a header without a score", `address,name\n${good},5\n`, ["FILE_MALFORMED", 1]],
  ["a header with two scores", `address,score,points\n${good},5,6\n`, ["FILE_MALFORMED", 1]],
  ["a header with two addresses", `wallet;address;score\n${good};${good};6\n`, ["FILE_MALFORMED", 1]],
  ["one column", `${good}\n`, ["FILE_MALFORMED", 1]],
  ["three columns without a header", `${good},5,6\n`, ["FILE_MALFORMED", 1]],
  ["words", "#!/bin/sh\nrm -rf /\n", ["FILE_MALFORMED", 1]],
  ["lines that end with only a CR", `${good},5\r${addressOf(2)},6\r`, ["ROW_MALFORMED", 1]],
  ["a line of 70,000 characters", `${good},5\n${"9".repeat(70_000)}\n`, ["ROW_MALFORMED", 2]],
  ["a line of 3 million characters", `${good},5\n${" ".repeat(3_000_000)},\n`, ["ROW_MALFORMED", 2]],
  row("a quote that stays open", `${good},"5`, "ROW_MALFORMED"),
  row("a quote inside a field", `${good},5"6`, "ROW_MALFORMED"),
  row("a row with more columns", `${good},5,6`, "ROW_MALFORMED"),
  row("a row with fewer columns", good, "ROW_MALFORMED"),
  row("a thousand with a comma", `${good},1,000`, "ROW_MALFORMED"),
  score(""),
  score("   "),
  score("1e3"),
  score("1E+3"),
  score("1e999999999"),
  score("0x10"),
  score("0b1"),
  score("0o7"),
  score("+5"),
  score("1_000"),
  score("1 000"),
  score("1'000"),
  score("Infinity"),
  score("NaN"),
  score("null"),
  score("=1+1"),
  score("５"),
  score("٥"),
  score("5²"),
  score(".5"),
  score("5."),
  score("--5"),
  score("1\u200b0"),
  score(`5${csi}`),
  score(`5${osc}`),
  score("5\u009b31m"),
  score("5\u202e6"),
  score("::error::owned"),
  score("-5", "SCORE_NEGATIVE"),
  score("-0", "SCORE_NEGATIVE"),
  score("12.5", "SCORE_FRACTION"),
  score("1.000", "SCORE_FRACTION"),
  score("18446744073709551616", "SCORE_TOO_LARGE"),
  score("9".repeat(60_000), "SCORE_TOO_LARGE"),
  ["a total of 2^64", `${good},18446744073709551615\n${addressOf(2)},1\n${addressOf(3)},1\n`, ["TOTAL_TOO_LARGE", 2]],
  address("", "ADDRESS_INVALID"),
  address("0x", "ADDRESS_INVALID"),
  address("0Xc5ea55d90ae84e307622f1b8b13535ec3eff047g", "ADDRESS_INVALID"),
  address("c5ea55d90ae84e307622f1b8b13535ec3eff0475", "ADDRESS_PREFIX"),
  address("vitalik.eth", "ADDRESS_INVALID"),
  address(`${csi}${osc}`, "ADDRESS_INVALID"),
  address("::error file=x::owned", "ADDRESS_INVALID"),
  address(`0x${"g".repeat(40)}`, "ADDRESS_INVALID"),
  address(`0x${"а".repeat(40)}`, "ADDRESS_INVALID"),
  address(`init1${"q".repeat(60_000)}`, "ADDRESS_INVALID"),
  address("init1CH49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6", "ADDRESS_INVALID"),
  address("0x1", "ADDRESS_LENGTH"),
  address(`0x${"a".repeat(60_000)}`, "ADDRESS_LENGTH"),
  address(`0x${"ab".repeat(32)}`, "ADDRESS_LENGTH"),
  address("0xC5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", "ADDRESS_CHECKSUM"),
  address("init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps7", "ADDRESS_CHECKSUM"),
  address("cosmos1ch49tkg2ap8rqa3z7xutzdf4asl07pr4as0jmc", "ADDRESS_PREFIX"),
  address(`0x${"0".repeat(40)}`, "ADDRESS_ZERO"),
  ["an account twice", `${good},5\n${good},5\n`, ["ADDRESS_DUPLICATE", 2]],
  ["an account in two cases", `${checksummed},5\n${checksummed.toLowerCase()},5\n`, ["ADDRESS_DUPLICATE", 2]],
  ["an account in two forms", `${checksummed},5\n${sameBech32},6\n`, ["ADDRESS_DUPLICATE", 2]],
  ["both fields wrong", "0x1,nothing\n", ["ADDRESS_LENGTH", 1], ["SCORE_INVALID", 1]],
];

/** Elements that are rejected both in a JSON array and in JSON Lines. */
const elements: readonly Case[] = [
  element("a key twice", `{"address":"${good}","score":1,"score":2}`, "ROW_MALFORMED"),
  element("a key twice, once escaped", `{"address":"${good}","score":1,"sc\\u006fre":2}`, "ROW_MALFORMED"),
  element("two names of the score", `{"address":"${good}","score":1,"points":2}`, "ROW_MALFORMED"),
  element("no score", `{"address":"${good}"}`, "ROW_MALFORMED"),
  element("only a prototype", '{"__proto__":{"address":"x","score":1}}', "ROW_MALFORMED"),
  element("three values", `["${good}",1,2]`, "ROW_MALFORMED"),
  element("a number", "5", "ROW_MALFORMED"),
  element("null", "null", "ROW_MALFORMED"),
  element("a score of 1e3", `["${good}",1e3]`, "SCORE_INVALID"),
  element("a score of null", `["${good}",null]`, "SCORE_INVALID"),
  element("a score of true", `["${good}",true]`, "SCORE_INVALID"),
  element("a score that is an object", `["${good}",{"score":1}]`, "SCORE_INVALID"),
  element("a score nested 500 deep", `["${good}",${"[".repeat(500)}${"]".repeat(500)}]`, "SCORE_INVALID"),
  element("a score below 0", `["${good}",-1]`, "SCORE_NEGATIVE"),
  element("a score of 2^64", `["${good}",18446744073709551616]`, "SCORE_TOO_LARGE"),
  element("a score of 12.5", `["${good}",12.5]`, "SCORE_FRACTION"),
  element("an escaped escape sequence", '["\\u001b[2J\\u009b31m",1]', "ADDRESS_INVALID"),
  element("half a surrogate pair", '["\\ud800",1]', "ADDRESS_INVALID"),
  element("an element of 70,000 characters", `["${"x".repeat(70_000)}",1]`, "ROW_MALFORMED"),
  element("brackets closed 100,000 deep", closedDeep, "ROW_MALFORMED"),
];

const json: readonly Case[] = [
  ["100,000 open brackets", deep, ["FILE_MALFORMED"]],
  ["100,000 open objects", `[${'{"a":'.repeat(100_000)}`, ["FILE_MALFORMED"]],
  ["an object", `{"address":"${good}","score":1}`, ["FILE_MALFORMED"]],
  ["a file that is cut off", `[["${good}",1],["${addressOf(2)}"`, ["FILE_MALFORMED"]],
  ["a score nested 30,000 deep", `[["${good}",${nested}]]`, ["FILE_MALFORMED", 1]],
  ["a comma at the end", `[["${good}",1],]`, ["FILE_MALFORMED", 2]],
  ["a comment", `[["${good}",1], // two\n]`, ["FILE_MALFORMED", 2]],
  ["other quotes", `[['${good}',1]]`, ["FILE_MALFORMED", 1]],
  ["two arrays", `[["${good}",1]] [["${good}",1]]`, ["FILE_MALFORMED"]],
  ["a raw escape sequence", `[["${csi}",1]]`, ["FILE_MALFORMED", 1]],
  ["a wrong bracket", `[["${good}",1]}`, ["FILE_MALFORMED"]],
];

const jsonLines: readonly Case[] = [
  ["a line that is not JSON", `["${good}",1]\nnonsense ${csi}\n["${addressOf(2)}",1]\n`, ["ROW_MALFORMED", 2]],
  ["a score nested 30,000 deep", `["${good}",1]\n["${good}",${nested}]\n`, ["ROW_MALFORMED", 2]],
  ["100,000 open brackets", `["${good}",1]\n${deep}\n`, ["ROW_MALFORMED", 2]],
  ["an array over two lines", `["${good}",\n1]\n`, ["ROW_MALFORMED", 1], ["ROW_MALFORMED", 2]],
];

function fileOf(
  name: HostileFile["name"],
  [title, content, ...issues]: Case,
  wrap?: (text: string) => string,
): HostileFile {
  const text = wrap !== undefined && typeof content === "string" ? wrap(content) : content;
  return { title: `${name}: ${title}`, name, content: text, issues };
}

/** More than 100 files, each with its expected issues. */
export const hostileFiles: readonly HostileFile[] = [
  ...csv.map((each) => fileOf("scores.csv", each)),
  ...elements.map((each) => fileOf("scores.json", each, (text) => `[${text.replaceAll("\u0000", ",\n")}]`)),
  ...elements.map((each) => fileOf("scores.jsonl", each, (text) => text.replaceAll("\u0000", "\n"))),
  ...json.map((each) => fileOf("scores.json", each)),
  ...jsonLines.map((each) => fileOf("scores.jsonl", each)),
];
