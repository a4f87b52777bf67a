import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { u64Max } from "../stage.ts";
import { readScore, type ScoreOptions } from "./rowReader.ts";

function read(text: string, options: ScoreOptions = {}): bigint | string {
  const score = readScore(text, "score", options);
  return typeof score === "bigint" ? score : score.reason;
}

test.each([
  ["0", {}, 0n],
  ["12", {}, 12n],
  ["007", {}, 7n],
  [`${"0".repeat(60_000)}7`, {}, 7n],
  ["9007199254740993", {}, 9007199254740993n],
  ["9999999999999999999", {}, 9999999999999999999n],
  ["18446744073709551615", {}, u64Max],
  ["18446744073709551616", {}, "SCORE_TOO_LARGE"],
  ["9".repeat(60_000), {}, "SCORE_TOO_LARGE"],
  ["-1", {}, "SCORE_NEGATIVE"],
  ["-0", {}, "SCORE_NEGATIVE"],
  ["-1.5", {}, "SCORE_NEGATIVE"],
  ["12.5", {}, "SCORE_FRACTION"],
  ["1.000", {}, "SCORE_FRACTION"],
  ["", {}, "SCORE_INVALID"],
  ["1e18", {}, "SCORE_INVALID"],
  ["1.5E+3", {}, "SCORE_INVALID"],
  ["0x10", {}, "SCORE_INVALID"],
  ["+5", {}, "SCORE_INVALID"],
  ["1_000", {}, "SCORE_INVALID"],
  ["1,000", {}, "SCORE_INVALID"],
  ["1 000", {}, "SCORE_INVALID"],
  ["1.", {}, "SCORE_INVALID"],
  [".5", {}, "SCORE_INVALID"],
  ["1.2.3", {}, "SCORE_INVALID"],
  ["١٢", {}, "SCORE_INVALID"],
  ["NaN", {}, "SCORE_INVALID"],
  ["null", {}, "SCORE_INVALID"],
  ["1.000", { scale: 0 }, "SCORE_FRACTION"],
  ["1.0000", { scale: 0 }, 1n],
  ["1.200", { scale: 3 }, "SCORE_FRACTION"],
  ["12.345", { scale: 2, floor: true }, "SCORE_FRACTION"],
  ["123.456", { floor: true }, "SCORE_FRACTION"],
  ["1.2000", { scale: 3 }, 1200n],
  ["0.200", { scale: 3 }, 200n],
  ["1234.200", { scale: 3 }, 1_234_200n],
  ["12.5", { scale: 0 }, "SCORE_FRACTION"],
  ["12.5", { scale: 1 }, 125n],
  ["12.50", { scale: 1 }, 125n],
  ["12.55", { scale: 1 }, "SCORE_FRACTION"],
  ["12.55", { scale: 1, floor: true }, 125n],
  ["12.99", { floor: true }, 12n],
  ["0.9", { floor: true }, 0n],
  ["12", { scale: 18 }, 12n * 10n ** 18n],
  ["18.446744073709551615", { scale: 18 }, u64Max],
  ["18.446744073709551616", { scale: 18 }, "SCORE_TOO_LARGE"],
  ["18446744073709551615", { scale: 1 }, "SCORE_TOO_LARGE"],
  ["-12.99", { floor: true }, "SCORE_NEGATIVE"],
] as const)("%.30s with %o", (text, options, expected) => {
  expect(read(text, options)).toBe(expected);
});

test.each([
  ["12.5", { code: "scale", scale: 1, unit: "tenths" }],
  ["0.120", { code: "scale", scale: 2, unit: "hundredths" }],
  ["0.0001", { code: "scale", scale: 4, unit: "units of 10^-4" }],
  ["12.0", { code: "scale", scale: 0, unit: undefined }],
  ["1200.125", { code: "scale", scale: 3, unit: "thousandths" }],
  [`0.${"1".repeat(19)}`, { code: "drop-fraction" }],
])("says what to do with %s: %o", (text, hint) => {
  const problem = readScore(text, "amount", {});
  expect(problem).toMatchObject({ reason: "SCORE_FRACTION", hint });
  const { message = "", hint: { text: advice } = { text: "" } } = typeof problem === "bigint" ? {} : problem;
  expect(message).toMatch(new RegExp(`^amount "${text}" `));
  expect(message.endsWith(`; ${advice}`)).toBe(true);
});

test.each([
  ["1200,5", "has a decimal comma; write 1200.5 and use a scale of 1 to count in tenths"],
  ["1200,50", "has a decimal comma; write 1200.50 and use a scale of 2 to count in hundredths"],
  ["0,125", "has a decimal comma; write 0.125 and use a scale of 3 to count in thousandths"],
  ["1200,125", "has a decimal comma; write 1200.125 and use a scale of 3 to count in thousandths"],
  ["1.200,5", "has a decimal comma; write 1200.5 and use a scale of 1 to count in tenths"],
  ["1.234.567,125", "has a decimal comma; write 1234567.125 and use a scale of 3 to count in thousandths"],
  ["1 234,5", "has a decimal comma; write 1234.5 and use a scale of 1 to count in tenths"],
  ["1,200.5", "has thousands separators; write 1200.5 and use a scale of 1 to count in tenths"],
  ["1,234,567.125", "has thousands separators; write 1234567.125 and use a scale of 3 to count in thousandths"],
  ["1,234,567", "has thousands separators; write 1234567"],
  ["12,34,567", "has thousands separators; write 1234567"],
  ["1.234.567", "has thousands separators; write 1234567"],
  ["1'234", "has thousands separators; write 1234"],
  ["1 234", "has thousands separators; write 1234"],
  ["1\u202f234\u202f567", "has thousands separators; write 1234567"],
  [
    "1,234",
    "has a comma that separates thousands or starts a fraction; write 1234, or 1.2340 and use a scale of 3 to count in thousandths",
  ],
  [
    "1.234",
    "has a point that separates thousands or starts a fraction; write 1234, or 1.2340 and use a scale of 3 to count in thousandths",
  ],
  [
    "12.000",
    "has a point that separates thousands or starts a fraction; write 12000, or 12.0000 and use a scale of 3 to count in thousandths",
  ],
  ["12 34", "is not a decimal number such as 1200"],
  ["1,23,4", "is not a decimal number such as 1200"],
  ["1.2.3", "is not a decimal number such as 1200"],
])("the advice on %s does not change the amount", (text, advice) => {
  const problem = readScore(text, "score", {});
  const message = typeof problem === "bigint" ? "" : problem.message;
  expect(message.replace(/^score "[^"]*" /, "")).toBe(advice);
  const [, written = "", scale] = / (\S+) and use a scale of (\d+)/.exec(advice) ?? [];
  if (scale === undefined) return expect(problem).not.toHaveProperty("hint");
  const { hint } = problem as { readonly hint: object };
  expect(hint).toMatchObject({ code: "scale", scale: Number(scale), text: advice.replace(/^.* and use/, "use") });
  expect(readScore(written, "score", { scale: Number(scale) })).toBeTypeOf("bigint");
  // Somebody who reads decimals already only has to write the number in another way.
  const again = readScore(text, "score", { scale: Number(scale) });
  if (typeof again === "bigint") return;
  expect(again).toEqual({
    reason: (problem as { readonly reason: string }).reason,
    message: `score ${JSON.stringify(text)} ${advice.replace(/ and use .*$/, "")}`,
  });
});

test("scaled decimals are exact", () => {
  const digits = fc.stringMatching(/^\d{1,22}$/);
  const decimal = fc.record({
    whole: digits,
    fraction: digits,
    scale: fc.integer({ min: 0, max: 18 }),
    floor: fc.boolean(),
  });
  fc.assert(
    fc.property(decimal, ({ whole, fraction, scale, floor }) => {
      // The value as an exact fraction: units / 10^fraction.length.
      const units = BigInt(whole + fraction) * 10n ** BigInt(scale);
      const divisor = 10n ** BigInt(fraction.length);
      const isExact = units % divisor === 0n;
      // Where three digits follow, the point may separate thousands.
      const isClear = whole.startsWith("0") || whole.length > 3 || fraction.length !== 3;
      const expected = isClear && (isExact || floor) ? units / divisor : "SCORE_FRACTION";
      const limited = typeof expected === "bigint" && expected > u64Max ? "SCORE_TOO_LARGE" : expected;
      expect(read(`${whole}.${fraction}`, { scale, floor })).toBe(limited);
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(2_000) },
  );
});
