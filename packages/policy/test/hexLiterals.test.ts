import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { tableOf } from "../src/data/sourceSql.ts";
import { openRollupNode, readPolicy } from "../src/index.ts";
import { openTables } from "../src/run/openTables.ts";
import type { QueryTable } from "../src/run/queryJob.ts";
import { prepareQuery } from "../src/run/runQuery.ts";
import { limitsOf } from "../src/run/startQuery.ts";
import type { SourceColumn } from "../src/sources/policySource.ts";
import type { SourceDefinition } from "../src/sources/sourceDefinition.ts";
import { transactionsSource } from "../src/sources/transactionsSource.ts";
import { openPolicyFolder } from "./policyFolder.ts";

const contract = `0x${"ab".repeat(20)}`;
const hash = `0x${"cd".repeat(32)}`;
const capitals = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
const event =
  "event Played(address indexed who, bytes32 kind, bytes4 tag, bytes blob, string note, string indexed topic, uint256 n)";

let connections: Readonly<Record<"evm" | "wasm", readonly [DuckDBConnection, readonly QueryTable[]]>>;
beforeAll(async () => {
  await using folder = await openPolicyFolder({
    "policy.toml": `name = "p"\nversion = "1"\n[rollup]\nchain_id = "1"\n[[source]]\nname = "plays"\nkind = "evm_events"\ncontracts = ["${contract}"]\nevent = "${event}"\n`,
  });
  const [plays] = (await readPolicy(folder.path)).sources as readonly (SourceDefinition & {
    readonly columns: readonly SourceColumn[];
  })[];
  const definition = { kind: "transactions", name: "calls", contracts: undefined, startHeight: undefined } as const;
  const open = async (sources: Readonly<Record<string, readonly SourceColumn[]>>) => {
    const tables = Object.entries(sources).map(([name, columns]) => {
      const none = { files: [], reversed: [], lastHeight: undefined, rows: 0, digest: "" };
      return tableOf({ name, kind: name === "calls" ? "transactions" : "evm_events", columns, ...none }, "stored");
    });
    const job = { sql: "", tables, limits: limitsOf(), mode: "optimized" as const, spill: temporaryFolder() };
    return [await openTables(job), tables] as const;
  };
  const columnsOf = (vm: "evm" | "wasm") =>
    transactionsSource(definition, openRollupNode(vm, "http://127.0.0.1:1")).columns;
  connections = {
    evm: await open({ calls: columnsOf("evm"), plays: plays?.columns ?? [] }),
    wasm: await open({ calls: columnsOf("wasm") }),
  };
});
afterAll(() => Object.values(connections).forEach(([connection]) => connection.closeSync()));

async function refusalOf(sql: string, vm: "evm" | "wasm" = "evm"): Promise<unknown> {
  const [connection, tables] = connections[vm];
  try {
    await prepareQuery(connection, sql, tables);
    return undefined;
  } catch (error) {
    return error;
  }
}

const calls = (condition: string) =>
  `select sender as address, count(*) as score from calls where ${condition} group by sender`;
const plays = (condition: string) =>
  `select who as address, count(*) as score from plays where ${condition} group by who`;

describe("hex in another spelling than that of the sources is refused with the right one:", () => {
  test.each([
    [calls("function = '0xE7FB74C7'"), "0xe7fb74c7"],
    [calls("function in ('0xe7fb74c7', '0xE7FB74C7')"), "0xe7fb74c7"],
    [calls("function = ' 0xe7fb74c7'"), "0xe7fb74c7"],
    [calls("function = '0Xe7fb74c7'"), "0xe7fb74c7"],
    [calls("function in (select unnest(['0xE7FB74C7']))"), "0xe7fb74c7"],
    [calls(`tx_hash <> '${capitals(hash)}'`), hash],
    [calls(`contract = '${capitals(contract)}'`), contract],
    [
      "select sender as address, sum(case function when '0xE7FB74C7' then 10 else 1 end) as score from calls group by sender",
      "0xe7fb74c7",
    ],
    [
      "with paid(f) as (values ('0xE7FB74C7')) select sender as address, count(*) as score from calls join paid on f = function group by sender",
      "0xe7fb74c7",
    ],
    [plays(`kind = '${capitals(hash)}'`), hash],
    [plays("tag = '0xABCDEF01'"), "0xabcdef01"],
    [plays("blob = '0xAB'"), "0xab"],
    [plays(`topic <> '${capitals(hash)}'`), hash],
  ])("%s", async (sql, right) => {
    expect(await refusalOf(sql)).toMatchObject({
      code: "POLICY_REFUSED",
      metaMessages: [expect.stringContaining(`Write '${right}'.`)],
    });
  });
});

describe("a query may have", () => {
  test.each([
    calls("function = '0xe7fb74c7' or function = ''"),
    calls("function like '0xe7%' or left(function, 4) = '0xe7'"),
    calls(`tx_hash <> '${hash}' and contract = '${contract}'`),
    plays(`kind = '${hash}' and tag = '0xabcdef01' and blob in ('0x', '0xab')`),
    plays("note = 'Sword' or note in ('buyItem', 'A', ' ', 'ABCDEF01')"),
  ])("%s", async (sql) => {
    expect(await refusalOf(sql)).toBeUndefined();
  });
});

test("on Wasm, hashes are in capitals", async () => {
  const digits = hash.slice(2);
  expect(await refusalOf(calls("function = 'buyItem'"), "wasm")).toBeUndefined();
  expect(await refusalOf(calls(`tx_hash = '${digits.toUpperCase()}'`), "wasm")).toBeUndefined();
  expect(await refusalOf(calls(`tx_hash = '${digits}'`), "wasm")).toMatchObject({
    code: "POLICY_REFUSED",
    metaMessages: [expect.stringContaining(`Write '${digits.toUpperCase()}'`)],
  });
});
