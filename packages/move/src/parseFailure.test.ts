import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAccount } from "@vipscore/core";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { abortErrors, parseErrorConstant, parseFailure, readMoveErrors } from "./parseFailure.ts";

const location = "000000000000000000000000c5ea55d90ae84e307622f1b8b13535ec3eff0475";
const prefix = "failed to execute message; message index: 0: ";

test("the recorded failure of a write to a finalized stage", () => {
  // minimove, an update of a finalized stage
  const log = `${prefix}VM aborted: location=${location}::vip_score, code=65544`;
  expect(parseFailure({ log })).toEqual({
    code: "STAGE_FINALIZED",
    details: expect.stringMatching(/\b0x10008\b.*\bvip_score\b.*\bESTAGE_FINALIZED\b/) as string,
  });
});

test("each abort code of the module is known by its constant", () => {
  const source = readFileSync(new URL("../../../contracts/move/sources/vip_score.move", import.meta.url), "utf8");
  const constants = [...source.matchAll(/const (E\w+): u64 = (0x[0-9a-f]+);/g)];
  expect(abortErrors.map(({ name, abort }) => [name, abort])).toEqual(
    constants.map(([, name, abort]) => [name, Number(abort)]),
  );
});

test.each(abortErrors)("abort $abort is $code", ({ abort, code }) => {
  expect(parseFailure({ log: `${prefix}VM aborted: location=${location}::vip_score, code=${abort}` })).toMatchObject({
    code,
  });
});

test("aborts of other modules and unknown codes have no error code", () => {
  for (const aborted of ["::table, code=65544", "::vip_score, code=1", "::vip_score_two, code=65544"]) {
    const log = `${prefix}VM aborted: location=${location}${aborted}`;
    expect(parseFailure({ log })).toEqual({ details: log, isUnnamed: true });
  }
});

test("an abort of a module whose sources are at hand is named by its constant", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sources/more"), { recursive: true });
  const source = `module game::arena {
    /// Closed.
    const E_CLOSED: u64 = 3;
    const E_FULL: u64 = 0x10003;
    const MAX: u64 = 4;
  }
  module game::shop { const E_EMPTY: u64 = 5; }`;
  writeFileSync(join(folder, "sources/more/arena.move"), source);
  const publisher = parseAccount(`0x${location.slice(24)}`, { accountBytes: [20] });
  const constants = (await readMoveErrors(folder, publisher)).flatMap(parseErrorConstant);
  const detailsOf = (module: string, code: number) =>
    parseFailure({ log: `${prefix}VM aborted: location=${module}, code=${code}` }, constants).details;
  expect(detailsOf(`${location}::arena`, 3)).toMatch(/\b0x3\b.*\barena, E_CLOSED: Closed\.$/);
  expect(detailsOf(`${location}::arena`, 0x5_0003)).toMatch(/\b0x50003\b.*\bE_CLOSED\b/);
  expect(detailsOf(`${location}::arena`, 0x1_0003)).toMatch(/\b0x10003\b.*\bE_FULL$/);
  expect(detailsOf(`${location}::shop`, 5)).toMatch(/\bE_EMPTY$/);
  for (const [module, code] of [
    ["arena", 4],
    ["arena", 5],
    ["other", 3],
  ] as const) {
    expect(detailsOf(`${location}::${module}`, code)).toContain(`::${module}, code=${code}`);
  }
  expect(detailsOf(`${location.replaceAll("c5", "c6")}::arena`, 3)).toContain("code=3");
  expect(await readMoveErrors(join(folder, "absent"), publisher)).toEqual([]);
});

test("the VM's call stack is left out", () => {
  const text = `${prefix}VM failure: status OUT_OF_GAS of type Execution with message gas_limit: 1, gas_used: 2`;
  const { details } = parseFailure({ log: `${text}\nBacktrace: Backtrace [\n  { fn: "x" },\n], location=0x1::table` });
  expect(details.endsWith(text)).toBe(true);
});

test("an overflow of the reference module", () => {
  const text = `${prefix}VM failure: status ARITHMETIC_ERROR of type Execution`;
  expect(parseFailure({ log: text })).toEqual({ code: "SCORE_OVERFLOW", details: text });
});
