import { rename } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import {
  openSources,
  readPolicy,
  runPolicy,
  SourceDigest,
  type PolicySource,
  type SourceColumn,
  type SourceRow,
  type SourceValue,
} from "../src/index.ts";
import { alice, bob, bobBech32, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

const seed = fuzzSeed();
const toml = pointsPolicy["policy.toml"];
const columns: readonly SourceColumn[] = [
  { name: "account", type: "address" },
  { name: "amount", type: "integer" },
  { name: "note", type: "text" },
  { name: "is_paid", type: "boolean" },
];
const rowsOf = (size: number): fc.Arbitrary<SourceRow[]> =>
  fc.array(
    fc.tuple(
      fc.constantFrom(alice, bob),
      fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n),
      fc.string({ unit: "binary" }),
      fc.boolean(),
    ),
    { maxLength: size },
  );

describe("the digest of a source", () => {
  test("does not depend on batches", () => {
    fc.assert(
      fc.property(rowsOf(30), fc.array(fc.nat(30)), (rows, cuts) => {
        const whole = new SourceDigest(columns);
        whole.add(rows);
        const parts = new SourceDigest(columns);
        const borders = [0, ...cuts.filter((cut) => cut < rows.length).sort((one, other) => one - other), rows.length];
        for (const [index, border] of borders.entries())
          parts.add(rows.slice(border, borders[index + 1] ?? rows.length));
        expect(parts.rows).toBe(rows.length);
        expect(parts.finish()).toBe(whole.finish());
      }),
      { seed, numRuns: fuzzRuns(200) },
    );
  });

  test("depends on every value, the order and the columns", () => {
    const digest = (rows: readonly SourceRow[], of = columns): string => {
      const source = new SourceDigest(of);
      source.add(rows);
      return source.finish();
    };
    fc.assert(
      fc.property(rowsOf(4), rowsOf(4), (rows, others) => {
        fc.pre(JSON.stringify(rows, bigintText) !== JSON.stringify(others, bigintText));
        expect(digest(rows)).not.toBe(digest(others));
      }),
      { seed, numRuns: fuzzRuns(200) },
    );
    expect(digest([])).not.toBe(digest([], columns.slice(1)));
  });

  test("is the one of its text", () => {
    const source = new SourceDigest(columns);
    source.add([[alice, -(2n ** 100n), 'a\n"b"', true]]);
    // The SHA-256 of the two lines, computed by another program.
    expect(source.finish()).toBe("b65b33d2a4459fd7c64bb1f8e383ce74ed7dce3906135d986c533413f12972b5");
  });
});

test("integers of 128 bits and any text reach the query unchanged, in batches of any size", async () => {
  await using folder = await openPolicyFolder();
  const policy = await readPolicy(folder.path);
  await fc.assert(
    fc.asyncProperty(rowsOf(20), fc.integer({ min: 1, max: 7 }), async (rows, size) => {
      const source: PolicySource = { name: "payments", kind: "test", columns, collect: () => batches(rows, size) };
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
    const rows: SourceRow[] = [];
    for await (const batch of openSources(policy)[0]!.collect()) rows.push(...batch);
    return rows;
  };

  test("may have other columns, quotes, CR LF, a byte-order mark and any spelling of an account", async () => {
    const csv = `\uFEFFnote,points,address\r\n"a, ""b""\r\nc",007,${bobBech32}\r\n\r\nd,-${2n ** 100n},0x${"0".repeat(24)}${alice.slice(2)}\r\n`;
    expect(await read(csv)).toEqual([
      [bob, 7n],
      [alice, -(2n ** 100n)],
    ]);
  });

  test("gives more rows than a batch in their order", async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `${alice},${index}\n`);
    const rows = await read(`address,points\n${lines.join("")}`);
    expect(rows.map(([, points]) => points)).toEqual(Array.from({ length: 5000 }, (_, index) => BigInt(index)));
  });

  test("lists every row with a wrong value", async () => {
    const csv = `address,points\n${alice},1.5\n${bob},2\nbob,${2n ** 127n}\n${alice},1e3\n${alice},\n`;
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
    await expect(runPolicy(policy, openSources(policy))).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});

describe("a Parquet reference", () => {
  const run = async (select: string) => {
    await using folder = await openPolicyFolder({ "policy.toml": toml.replace("points.csv", "points.parquet") });
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(`copy (${select}) to '${join(folder.path, "points.parquet")}' (format parquet)`);
    connection.closeSync();
    instance.closeSync();
    return await folder.run();
  };

  test("gives the same source as a CSV of the same rows", async () => {
    await using csv = await openPolicyFolder();
    const { table, sources } = await csv.run();
    for (const type of ["tinyint", "uinteger", "bigint", "ubigint", "decimal(38,0)", "varchar"]) {
      const values = `values ('${alice}', 5, true), ('${bob}', 7, true), ('${alice}', 1, false)`;
      const result = await run(`select n, a as address, p::${type} as points from (${values}) t(a, p, n)`);
      expect(result.table.digest()).toBe(table.digest());
      expect(result.sources).toEqual(sources);
    }
    const bytes = await run(
      `select from_hex(a[3:]) as address, p as points from (values ('${alice}', 5), ('${bob}', 7), ('${alice}', 1)) t(a, p)`,
    );
    expect(bytes.sources).toEqual(sources);
  });

  test.each([
    ["a float", `select '${alice}' as address, 1::double as points`, "INPUT_INVALID"],
    ["a fraction", `select '${alice}' as address, 1.5 as points`, "INPUT_INVALID"],
    ["a null", `select '${alice}' as address, null::int as points`, "INPUT_INVALID"],
    ["another column", `select '${alice}' as address, 1 as score`, "POLICY_INVALID"],
  ])("is refused with %s", async (_, select, code) => {
    await expect(run(select)).rejects.toMatchObject({ code });
  });

  test("is refused if it is not Parquet", async () => {
    await using folder = await openPolicyFolder({
      "policy.toml": toml.replace("points.csv", "points.parquet"),
      "points.parquet": "address,points\n",
    });
    await expect(folder.run()).rejects.toMatchObject({ code: "POLICY_INVALID" });
  });
});

async function* batches(rows: readonly SourceRow[], size: number): AsyncGenerator<readonly SourceRow[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

function sqlBytes(value: SourceValue): string {
  return `from_hex('${Buffer.from(String(value)).toString("hex")}')`;
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}
