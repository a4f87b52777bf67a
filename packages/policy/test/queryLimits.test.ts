import { spawn } from "node:child_process";
import { readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { openTables } from "../src/run/openTables.ts";
import type { QueryJob } from "../src/run/queryJob.ts";
import { startQuery } from "../src/run/startQuery.ts";

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  for (const name of ["points", "other"]) {
    await connection.run(
      `copy (select 'a' as address, 1 as points) to '${join(folder, name)}.parquet' (format parquet)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink("/etc/passwd", join(folder, "link"));
});

const limits = { threads: 2, memoryMiB: 512, seconds: 60, spillMiB: 1024, maxRows: 1_000_000 };
const jobOf = (sql: string, more: Partial<QueryJob["limits"]> = {}): QueryJob => {
  const file = join(folder, "points.parquet");
  const select = `select address, points from read_parquet(['${file}'])`;
  const points = { name: "points", patterns: [], select, files: [file] };
  return { sql, tables: [points], limits: { ...limits, ...more }, mode: "optimized", spill: join(folder, "spill") };
};
/** Sorts more than the memory holds, and goes on without end. */
const spilling =
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) select max(x)::varchar as address, count(*) as score from (select md5(range::varchar) as x, row_number() over (order by md5((range + i)::varchar)) as r from range(4000000), n)";

describe("a process for a query", () => {
  test("writes to its folder what does not fit in memory, and leaves nothing", async () => {
    const sql =
      "select max(x) as address, count(*) as score from (select distinct md5(range::varchar) || md5((-range)::varchar) as x from range(5000000))";
    await expect(startQuery(jobOf(sql, { spillMiB: 1 }), () => undefined)).rejects.toMatchObject({
      code: "POLICY_LIMIT",
      shortMessage: expect.stringMatching(/\b512 MiB\b.*\b1 MiB\b/),
    });
    const scores: (string | null)[] = [];
    await startQuery(jobOf(sql), (rows) => scores.push(...rows.scores));
    expect(scores).toEqual(["5000000"]);
    expect(await readdir(folder)).not.toContain("spill");
  });

  test("ends by the signal inside of one call, and leaves nothing", async () => {
    const call = "levenshtein(repeat('ab', 100000), repeat('cd', 100000))";
    for (const sql of [`select 'a' as address, ${call} as score`, spilling]) {
      const abort = new AbortController();
      const run = startQuery(jobOf(sql), () => undefined, { signal: abort.signal });
      const reason = new Error("enough");
      if (sql === spilling) await until("a spilled file", () => hasSpilled());
      abort.abort(reason);
      await expect(run).rejects.toBe(reason);
      expect(await readdir(folder)).not.toContain("spill");
    }
  });

  test("is limited by the time that it computes, not by that in which it has to wait", async () => {
    const before = await ownChildren();
    const started = performance.now();
    const run = startQuery(jobOf("select address, points as score from points", { seconds: 1 }), () => undefined);
    const pid = await nextChild(before);
    process.kill(Number(pid), "SIGSTOP");
    await until("more time than the limit", () => performance.now() - started > 2 * 1000);
    process.kill(Number(pid), "SIGCONT");
    expect(await run).toEqual([]);
  });

  test("ends with the reason that it computes too long", async () => {
    const call = "levenshtein(repeat('ab', 100000), repeat('cd', 100000))";
    const run = startQuery(jobOf(`select address, ${call} as score from points`, { seconds: 1 }), () => undefined);
    await expect(run).rejects.toMatchObject({ code: "POLICY_LIMIT", shortMessage: expect.stringMatching(/\b2 s\b/) });
  });

  test("makes all pairs of tables between commas without the optimizer, which the error says", async () => {
    const run = (mode: QueryJob["mode"], joined: string) => {
      const sql = `select '${"0x".padEnd(42, "1")}' as address, count(*) as score from range(300000) a(x) ${joined}`;
      return startQuery({ ...jobOf(sql, { seconds: 1 }), mode }, () => undefined);
    };
    const commas = ", range(300000) b(y) where x = y";
    await expect(run("plain", commas)).rejects.toMatchObject({
      code: "POLICY_LIMIT",
      advice: expect.arrayContaining([expect.stringContaining("join … on")]) as unknown,
    });
    expect(await run("optimized", commas)).toEqual([]);
    expect(await run("plain", "join range(300000) b(y) on x = y")).toEqual([]);
  });

  test("says what ended it, and not memory if that is not known", async () => {
    const before = await ownChildren();
    const call = "levenshtein(repeat('ab', 100000), repeat('cd', 100000))";
    const run = startQuery(jobOf(`select address, ${call} as score from points`), () => undefined);
    const pid = await nextChild(before);
    process.kill(Number(pid), "SIGSEGV");
    await expect(run).rejects.toMatchObject({
      code: "QUERY_ENDED",
      shortMessage: expect.stringMatching(/\bSIGSEGV\b/),
    });
  });

  test("ends with its parent, and leaves nothing", async () => {
    const program = `
      import { startQuery } from ${JSON.stringify(new URL("../src/run/startQuery.ts", import.meta.url).href)};
      await startQuery(${JSON.stringify(jobOf(spilling))}, () => undefined);`;
    const parent = spawn(process.execPath, ["--conditions=@vipscore/source", "--input-type=module", "-e", program]);
    await until("a spilled file", () => hasSpilled());
    const children = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8");
    const child = Number(children.trim());
    parent.kill("SIGKILL");
    await until("the end of the process", async () => !(await isAlive(child)));
    expect(await readdir(folder)).not.toContain("spill");
  });
});

async function nextChild(before: readonly string[]): Promise<string> {
  let pid = "";
  await until("the process", async () => {
    pid = (await ownChildren()).find((child) => !before.includes(child)) ?? "";
    return pid !== "";
  });
  return pid;
}

/** The processes that this one has started, by any of its threads. */
async function ownChildren(): Promise<readonly string[]> {
  const lists = (await readdir("/proc/self/task")).map((task) => readFile(`/proc/self/task/${task}/children`, "utf8"));
  return (await Promise.all(lists)).flatMap((list) => list.split(" ").filter((pid) => pid !== ""));
}

async function hasSpilled(): Promise<boolean> {
  return (await readdir(join(folder, "spill")).catch(() => [])).length > 0;
}

/** A process that has ended may still be in the list until somebody asks for its status. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}

describe("the database of a query, without the check of its syntax,", () => {
  test.each([
    ["another file", "from read_text('{}/secret.txt')"],
    ["another policy's part", "from read_parquet('{}/other.parquet')"],
    ["another policy's part by its name", "from '{}/other.parquet'"],
    ["a link", "from read_text('{}/link')"],
    ["a glob", "from read_parquet('{}/*.parquet')"],
    ["names of files", "from glob('{}/*')"],
    ["a path with ..", "from read_parquet('{}/spill/../other.parquet')"],
    ["a file through the spilled ones", "from read_text('{}/spill/../secret.txt')"],
    ["the system's files", "from read_text('/proc/self/environ')"],
    ["the network", "from read_csv('http://127.0.0.1:9/x.csv')"],
    ["a written file", "copy (select 1) to '{}/written.csv'"],
    ["another database", "attach '{}/written.db'"],
    ["an extension", "install httpfs"],
    ["a loaded extension", "load httpfs"],
    ["a setting", "set threads = 1"],
    ["the memory limit", "set memory_limit = '100GB'"],
    ["allowed files", "set allowed_paths = ['{}/secret.txt']"],
    ["access", "set enable_external_access = true"],
  ])("refuses %s", async (_, sql) => {
    const connection = await openTables(jobOf(""));
    const before = await readdir(folder);
    await expect(connection.run(sql.replaceAll("{}", folder))).rejects.toThrow(
      /Permission|configuration|not found|disabled/i,
    );
    expect(await readdir(folder)).toEqual(before);
    expect((await connection.runAndReadAll("select points from points")).getRows()).toEqual([[1]]);
    connection.closeSync();
  });
});
