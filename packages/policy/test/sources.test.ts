import { createHash } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { BlockDigests, countRows, hashSource, linesUpTo } from "../src/data/blockDigests.ts";
import { writeSource } from "../src/data/writeSource.ts";
import {
  openSources,
  readPolicy,
  runPolicy,
  type PolicySource,
  type SourceColumn,
  type SourceRow,
  type SourceValue,
} from "../src/index.ts";
import { batchesOf } from "./batchesOf.ts";
import { alice, bob, bobBech32, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";
import { rowsOf as readAll } from "./rowsOf.ts";

const seed = fuzzSeed();
const toml = pointsPolicy["policy.toml"];
const columns: readonly SourceColumn[] = [
  { name: "account", type: "address" },
  { name: "amount", type: "integer" },
  { name: "note", type: "text" },
  { name: "is_paid", type: "boolean" },
];
/** Of any length, and around 18 digits, above which DuckDB converts them in another way. */
const integers = fc.oneof(
  fc.bigInt(1n - 10n ** 38n, 10n ** 38n - 1n),
  fc.bigInt(-(10n ** 9n), 10n ** 9n),
  fc.tuple(fc.constantFrom(1n, -1n), fc.bigInt(-2n, 2n)).map(([sign, more]) => sign * (10n ** 18n + more)),
);
const rowsOf = (size: number): fc.Arbitrary<SourceRow[]> =>
  fc.array(fc.tuple(fc.constantFrom(alice, bob), integers, fc.string({ unit: "binary" }), fc.boolean()), {
    maxLength: size,
  });

/** The lines of rows that are handed over in batches, whose first column is the block. */
function digestLines(rows: readonly SourceRow[], cuts: readonly number[] = []): string {
  const digests = new BlockDigests(true);
  const borders = [0, ...cuts.filter((cut) => cut < rows.length).sort((one, other) => one - other), rows.length];
  for (const [index, border] of borders.entries()) digests.add(rows.slice(border, borders[index + 1] ?? rows.length));
  return digests.take();
}

describe("the digests of blocks", () => {
  const blocks = fc.array(fc.nat(3), { maxLength: 30 });
  const inBlocks = (rows: readonly SourceRow[], gaps: readonly number[]): SourceRow[] => {
    let height = 1n;
    return rows.map((row, index) => {
      height += BigInt(gaps[index] ?? 0);
      return [height, ...row];
    });
  };

  test("do not depend on batches, nor on how blocks are divided into parts", () => {
    fc.assert(
      fc.property(rowsOf(30), blocks, fc.array(fc.nat(30)), (plain, gaps, cuts) => {
        const rows = inBlocks(plain, gaps);
        const whole = digestLines(rows);
        expect(digestLines(rows, cuts)).toBe(whole);
        const last = BigInt(rows[cuts[0] ?? 0]?.[0] ?? 0);
        const [before, after] = [rows.filter(([at]) => BigInt(at!) <= last), rows.filter(([at]) => BigInt(at!) > last)];
        expect(digestLines(before) + digestLines(after)).toBe(whole);
        expect(linesUpTo(whole, Number(last))).toBe(digestLines(before));
        expect(countRows(whole)).toBe(rows.length);
      }),
      { seed, numRuns: fuzzRuns(200) },
    );
  });

  test("depend on every value, the order and the columns", () => {
    fc.assert(
      fc.property(rowsOf(4), rowsOf(4), (rows, others) => {
        fc.pre(JSON.stringify(rows, bigintText) !== JSON.stringify(others, bigintText));
        expect(digestLines(inBlocks(rows, []))).not.toBe(digestLines(inBlocks(others, [])));
      }),
      { seed, numRuns: fuzzRuns(200) },
    );
    expect(hashSource(columns).digest("hex")).not.toBe(hashSource(columns.slice(1)).digest("hex"));
  });

  test("are those of their text", () => {
    const netstrings = `1:7,42:${alice},32:-1267650600228229401496703205376,6:ä\n"b",4:true,`;
    const lines = digestLines([[7n, alice, -(2n ** 100n), 'ä\n"b"', true]]);
    expect(lines).toBe(`7 1 ${createHash("sha256").update(netstrings).digest("hex")}\n`);
  });

  test("of a block of any size are one digest", () => {
    const rows = Array.from({ length: 20_000 }, (_, index): SourceRow => [1n, `${index}`.repeat(20)]);
    expect(digestLines(rows)).toMatch(/^1 20000 [0-9a-f]{64}\n$/);
    expect(digestLines(rows, [500, 19_999])).toBe(digestLines(rows));
  });
});

test("integers of 38 digits and any text reach the query unchanged, in batches of any size", async () => {
  await using folder = await openPolicyFolder();
  const policy = await readPolicy(folder.path);
  await fc.assert(
    fc.asyncProperty(rowsOf(20), fc.integer({ min: 1, max: 7 }), async (rows, size) => {
      const described = { name: "payments", kind: "test", columns };
      const source: PolicySource = {
        ...described,
        collect: (options) => writeSource(described, batchesOf(rows, size), options),
      };
      const wanted = rows.map(
        ([, amount, note, isPaid]) =>
          `(amount = '${amount}'::hugeint and encode(note) = ${sqlBytes(note ?? "")} and is_paid = ${isPaid})`,
      );
      const sql = `select '${alice}' as address, count(*) filter (${wanted.join(" or ") || "true"}) as score from payments`;
      const result = await runPolicy({ ...policy, sql }, [source]);
      expect(result.table.total).toBe(BigInt(rows.length));
      expect(result.sources).toMatchObject([{ rows: rows.length }]);
    }),
    { seed, numRuns: fuzzRuns(15) },
  );
});

describe("a CSV reference", () => {
  const read = async (csv: string, file = "points.csv") => {
    await using folder = await openPolicyFolder({ [file]: csv, "policy.toml": toml.replace("points.csv", file) });
    const policy = await readPolicy(folder.path);
    return await readAll(await openSources(policy)[0]!.collect({ folder: join(folder.path, "run") }));
  };

  test("may have other columns, quotes, CR LF, a byte-order mark and any spelling of an account", async () => {
    const csv = `\uFEFFnote,points,address\r\n"a, ""b""\r\nc",007,${bobBech32}\r\n\r\nd,-${2n ** 100n},0x${"0".repeat(24)}${alice.slice(2)}\r\n`;
    expect(await read(csv)).toEqual([
      [bob, 7n],
      [alice, -(2n ** 100n)],
    ]);
  });

  test.each([
    ["semicolons", `address;note;points\n${alice};"a;b";5\n`],
    ["spaces around fields", `address, points\n ${alice} , 5\n`],
    ["Excel's sep= line", `sep=;\r\naddress;points\r\n${alice};5\r\n`],
    ["names in another spelling, and 0X", `Points,ADDRESS\n5,0X${alice.slice(2)}\n`],
  ])("is read with %s, as a score file is", async (_, csv) => {
    expect(await read(csv)).toEqual([[alice, 5n]]);
  });

  test("is refused with the words of a score file, which never change an amount", async () => {
    const csv = `sep=;\naddress;points\n${alice};1200,5\n${alice};1.234\n${alice};1,234,567\n`;
    await expect(read(csv)).rejects.toMatchObject({
      issues: [
        { row: 3, message: 'points "1200,5" has a decimal comma; write 1200.5' },
        { row: 4, message: expect.stringMatching(/\b1234, or 1\.2340\b/) },
        { row: 5, message: 'points "1,234,567" has thousands separators; write 1234567' },
      ],
    });
  });

  test("has no text that is an account in another spelling: compared with addresses, it would match none", async () => {
    const capitals = `0x${alice.slice(2).toUpperCase()}`;
    await using folder = await openPolicyFolder({
      "policy.toml": toml.replace('address = "address"', 'address = "text"'),
      "points.csv": `address,points\n${alice},1\n${capitals},2\nnobody,3\n${bobBech32},4\n`,
    });
    await expect(folder.run()).rejects.toMatchObject({
      code: "INPUT_INVALID",
      issues: [
        { row: 3, reason: "ADDRESS_INVALID", message: expect.stringContaining(alice) as unknown },
        { row: 5, reason: "ADDRESS_INVALID", message: expect.stringContaining(bob) as unknown },
      ],
    });
  });

  test("gives more rows than a batch in their order", async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `${alice},${index}\n`);
    const rows = await read(`address,points\n${lines.join("")}`);
    expect(rows.map(([, points]) => points)).toEqual(Array.from({ length: 5000 }, (_, index) => BigInt(index)));
  });

  test("lists every row with a wrong value", async () => {
    const csv = `address,points\n${alice},1.5\n${bob},2\nbob,${10n ** 38n}\n${alice},1e3\n${alice},\n`;
    await expect(read(csv)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      issues: [{ row: 2 }, { row: 4 }, { row: 4 }, { row: 5 }, { row: 6 }],
    });
  });

  test.each([
    ["no header", ""],
    ["a missing column", `address,score\n${alice},1\n`],
    ["a repeated column", `address,points,points\n${alice},1,2\n`],
    ["a row of another length", `address,points\n${alice}\n`],
    ["a quote that is closed after the next row", `address,points,note\n${alice},1,"x\n${bob},2,y\n${alice},3,z"\n`],
    ["an open quote", `address,points\n"${alice},1\n`],
    ["an endless row", `address,points\n${"a".repeat(100_000)},1\n`],
  ])("is refused with %s", async (_, csv) => {
    await expect(read(csv)).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });

  test("is refused if it is not UTF-8, or has changed since the policy was read", async () => {
    await using folder = await openPolicyFolder({ "points.csv": Buffer.from([0xff, 0xfe, 0x41]) });
    await expect(folder.run()).rejects.toMatchObject({ code: "POLICY_INVALID" });
    await folder.write({ "points.csv": pointsPolicy["points.csv"] });
    const policy = await readPolicy(folder.path);
    await folder.write({ "other.csv": `address,points\n${alice},1000\n` });
    await rename(join(folder.path, "other.csv"), join(folder.path, "points.csv"));
    await expect(runPolicy(policy, openSources(policy))).rejects.toMatchObject({ code: "FILE_CHANGED" });
  });
});

function sqlBytes(value: SourceValue): string {
  return `from_hex('${Buffer.from(String(value)).toString("hex")}')`;
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
