import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { readText } from "../../test/readText.ts";
import type { Account } from "../account.ts";
import { formatBech32, formatChecksummed } from "../account/readAccount.ts";
import { InputError } from "../errors/inputError.ts";
import { u64Max } from "../stage.ts";
import { ScoreTable, type ScoreRow } from "./scoreTable.ts";

const seed = fuzzSeed();

const accounts = fc
  .oneof(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .filter((bytes) => bytes.slice(0, 12).some((byte) => byte !== 0))
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Account);

const scores = fc.oneof(fc.bigInt(0n, 1000n), fc.bigInt(0n, u64Max / 50n));

const tables: fc.Arbitrary<readonly ScoreRow[]> = fc.uniqueArray(fc.record({ account: accounts, score: scores }), {
  selector: (row) => row.account,
  minLength: 1,
  maxLength: 40,
});

const spellings: readonly ((account: Account) => string)[] = [
  (account) => account,
  (account) => `0x${account.slice(2).toUpperCase()}`,
  formatChecksummed,
  (account) => formatBech32(account),
  (account) => formatBech32(account).toUpperCase(),
  (account) => (account.length === 42 ? `0x${"0".repeat(24)}${account.slice(2)}` : account),
];

const csvStyles = fc.record({
  delimiter: fc.constantFrom(",", ";", "\t"),
  newline: fc.constantFrom("\n", "\r\n", "\n\n"),
  mark: fc.constantFrom("", "\uFEFF"),
  header: fc.constantFrom("", "address score", "Points wallet", "addr note amount"),
  quote: fc.constantFrom("", '"'),
  padding: fc.constantFrom("", " "),
});

function writeCsv(rows: readonly (readonly [string, bigint])[], style: Parameters<typeof csvLine>[1]): string {
  const names = style.header === "" ? ["address", "score"] : style.header.split(" ");
  const lines = rows.map(([address, score]) => {
    const fields = names.map((name) => {
      if (name === "note") return 'a "b", c; \t';
      return /^(?:address|wallet|addr)$/.test(name) ? address : String(score);
    });
    return csvLine(fields, style);
  });
  if (style.header !== "") lines.unshift(csvLine(names, style));
  return style.mark + lines.join(style.newline);
}

function csvLine(
  fields: readonly string[],
  style: {
    readonly delimiter: string;
    readonly newline: string;
    readonly mark: string;
    readonly header: string;
    readonly quote: string;
    readonly padding: string;
  },
): string {
  const written = fields.map((field) => {
    const quote = field.includes('"') ? '"' : style.quote;
    return `${style.padding}${quote}${field.replaceAll('"', '""')}${quote}${style.padding}`;
  });
  return written.join(style.delimiter);
}

test("a table is the same in every format, spelling and chunking", async () => {
  const cases = fc.record({
    rows: tables,
    spell: fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 40 }),
    style: csvStyles,
    chunkLength: fc.integer({ min: 1, max: 200 }),
    newline: fc.constantFrom("", "\n", "\r\n  "),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ rows, spell, style, chunkLength, newline }) => {
      const spelled = rows.map(({ account, score }, row): readonly [string, bigint] => {
        const spelling = spell[row % spell.length] ?? String;
        return [spelling(account), score];
      });
      const objects = spelled.map(([address, score], row) => {
        if (row % 3 === 0) return `["${address}",${score}]`;
        return row % 3 === 1
          ? `{"address":"${address}","score":${score}}`
          : `{"amount":"${score}","x":[{}],"addr":"${address}"}`;
      });
      const contents = [
        ["csv", writeCsv(spelled, style)],
        ["json", `${style.mark}[${newline}${objects.join(`,${newline}`)}${newline}]`],
        ["jsonl", style.mark + objects.join("\n")],
      ] as const;
      const expected = ScoreTable.from(rows);
      for (const [format, content] of contents) {
        const table = await readText(content, { format, accountBytes: [20, 32] }, { chunkLength });
        expect(Array.from(table)).toEqual(rows);
        expect(table.digest()).toBe(expected.digest());
        expect(table.total).toBe(expected.total);
      }
    }),
    { seed, numRuns: fuzzRuns(100) },
  );
});

const valid = [
  `address,score\n0x${"a1".repeat(20)},1\n"0x${"b2".repeat(20)}","12.5"\n`,
  `[{"address":"0x${"a1".repeat(20)}","score":1},["0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475",2]]`,
  `{"address":"init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6","score":"1"}\n["0x${"a1".repeat(20)}",1e3]\n`,
];

const mutations = fc
  .tuple(
    fc.constantFrom(...valid),
    fc.array(
      fc.record({
        at: fc.nat(200),
        remove: fc.nat(4),
        insert: fc.oneof(
          fc.string({ maxLength: 4 }),
          fc.constantFrom('"', ",", ";", "\r", "\n", "[", "}", "\\", "\0", "9".repeat(25)),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([text, edits]) => {
    for (const { at, remove, insert } of edits) text = text.slice(0, at) + insert + text.slice(at + remove);
    return Buffer.from(text);
  });

test("throws only InputError, for any bytes", async () => {
  const contents = fc.oneof(
    mutations,
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .array(fc.constantFrom("[", "]", "{", "}", '"', ",", ":", "1", " ", "\n", "address", "score", "0x1"))
      .map((parts) => Buffer.from(parts.join(""))),
  );
  const cases = fc.record({
    content: contents,
    format: fc.constantFrom("csv", "json", "jsonl", undefined),
    chunkLength: fc.integer({ min: 1, max: 50 }),
    floor: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ content, format, chunkLength, floor }) => {
      const options = { accountBytes: [20, 32] as const, floor, ...(format !== undefined && { format }) };
      const whole = await outcome(content, options, 1 << 16);
      const chunked = await outcome(content, options, chunkLength);
      // Bytes that are not text end the reading before the rest of their chunk is checked.
      if (whole.isBinary) expect(chunked.issues).not.toEqual([]);
      else expect(chunked).toEqual(whole);
    }),
    { seed, numRuns: fuzzRuns(1_000) },
  );
});

/** Returns the result of reading a content; any error except InputError fails the test. */
async function outcome(content: Uint8Array, options: Parameters<typeof readText>[1], chunkLength: number) {
  try {
    const table = await readText(content, options, { chunkLength });
    return { rows: Array.from(table), issues: [], isBinary: false };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const isBinary = error.issues.some(({ reason }) => reason === "FILE_BINARY");
    return { rows: [], issues: error.issues, isBinary };
  }
}
