import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { InputError, NodeError, VipError } from "@vipscore/core";
import { Output } from "./output.ts";
import { reportError } from "./reportError.ts";
import { Scrubber } from "./scrubber.ts";

function report(
  error: unknown,
  options: { readonly json?: boolean; readonly debug?: boolean; readonly columns?: number } = {},
) {
  const { columns } = options;
  const text = { stdout: "", stderr: "" };
  const io = {
    stdin: new PassThrough(),
    stdout: { write: (more: string) => (text.stdout += more) },
    stderr: { isTTY: columns !== undefined, columns, write: (more: string) => (text.stderr += more) },
    env: { NO_COLOR: "1" },
    cwd: "/",
    signal: new AbortController().signal,
  };
  const output = new Output(io, { json: options.json === true, scrubber: new Scrubber() });
  return { status: reportError(output, error, { debug: options.debug === true }), ...text };
}

test("message, hints, the chain's own words, code and exit status", () => {
  const [message, hint] = ["stage 11 is finalized", "Nothing was sent."];
  const stage = new VipError(message, { code: "STAGE_FINALIZED", metaMessages: [hint] });
  const column = " ".repeat(73 - hint.length);
  expect(report(stage)).toEqual({
    status: 3,
    stdout: "",
    stderr: `${message}\n${hint}${column}[STAGE_FINALIZED, exit 3]\n`,
  });
  const details = "header not found";
  const node = new NodeError("the node refused", { code: "NODE_ERROR", details });
  expect(report(node).stderr).toContain(`\nDetails: ${details}`);
});

test("a tag that does not fit goes below the message", () => {
  const { stderr } = report(new InputError("x".repeat(80)));
  expect(stderr).toBe(`${"x".repeat(80)}\n${" ".repeat(73)}[INPUT_INVALID, exit 2]\n`);
});

test("on a narrow terminal the tag stays whole, at the right", () => {
  const { stderr } = report(new InputError("x ".repeat(40).trim()), { columns: 60 });
  expect(stderr.split("\n").every(({ length }) => length <= 60)).toBe(true);
  expect(stderr).toMatch(/^ *\[INPUT_INVALID, exit 2\]$/m);
});

test("a problem of the whole file is reported once", () => {
  const issue = { reason: "FILE_EMPTY", file: "scores.csv", message: "has no scores in it" } as const;
  const { stderr } = report(new InputError("scores.csv refused: has no scores in it", { issues: [issue] }));
  expect(stderr.match(/has no scores/g)).toHaveLength(1);
});

test("any error that is not a VipError is a bug in vipscore; --debug prints stacks, with causes", () => {
  const fault = new TypeError("oops", { cause: new Error("deeper") });
  const plain = report(fault, { json: true });
  expect(plain.status).toBe(1);
  expect(JSON.parse(plain.stdout)).toMatchObject({ error: { code: "INTERNAL", message: "oops", exit: 1 } });
  expect(plain.stderr).not.toMatch(/^ +at /m);
  expect(report(fault, { debug: true }).stderr).toMatch(/TypeError: oops\n +at [^]*caused by: Error: deeper\n +at /);
});
