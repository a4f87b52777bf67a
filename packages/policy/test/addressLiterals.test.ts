import { describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { findTextProblems } from "../src/run/checkTexts.ts";
import { alice, bob, bobBech32 } from "./policyFolder.ts";
import { refusals } from "./refusals.ts";

const checksummed = "0x8cAd25Ec80A10522c258e2f59ABf0006C9445d1b";
const long = `0x${"ab".repeat(32)}`;
const longBech32 = formatBech32(parseAccount(long, { accountBytes: [32] }));
const padded = `0x${"0".repeat(24)}${alice.slice(2)}`;

const refusalOf = refusals();
const where = (condition: string) => `select address, points as score\nfrom points\nwhere ${condition}`;

describe("a text in another spelling than that of the sources is refused with the right one:", () => {
  test.each([
    ["EIP-55", checksummed, alice],
    ["capitals", `0x${alice.slice(2).toUpperCase()}`, alice],
    ["0X", `0X${alice.slice(2)}`, alice],
    ["bech32", bobBech32, bob],
    ["bech32 in capitals", bobBech32.toUpperCase(), bob],
    ["white space", ` ${alice} `, alice],
    ["32 bytes in capitals", `0x${long.slice(2).toUpperCase()}`, long],
    ["32 bytes in bech32", longBech32, long],
  ])("%s", async (_, text, right) => {
    for (const sql of [
      where(`address <> '${text}'`),
      where(`address not in ('${bob}', '${text}')`),
      where(`lower(address) = '${text}'`),
      where(`points > 5 or concat(address, '') = '${text}'`),
      `with team(member) as (values ('${bob}'), ('${text}'))\n\nselect address, points as score from points where address not in (from team)`,
      `\n\nselect '${text}' as address, 1 as score`,
    ]) {
      expect(await refusalOf(sql)).toMatchObject({
        code: "POLICY_REFUSED",
        shortMessage: expect.stringMatching(/^policy\.sql:[13]\b.* uses /) as unknown,
        metaMessages: [expect.stringContaining(`Write '${right}'.`)],
      });
    }
  });
});

describe("a comparison of an address with what cannot be one is refused:", () => {
  test.each([
    ["a name", "address = 'alice'"],
    ["no text", "address <> ''"],
    ["a short address of Move", "address = '0x1'"],
    ["32 bytes that are 20", `address = '${padded}'`],
    ["an address without 0x", `address in ('${alice.slice(2)}')`],
    ["a digit too few", `address = '${alice.slice(0, -1)}'`],
    ["bech32 of another chain", "address = 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'"],
    ["bech32 with a wrong digit", `'${bobBech32.slice(0, -1)}x' = address`],
    ["bytes", `address = from_hex('${alice.slice(2)}')`],
    ["a name, as text", "address = 'alice'::varchar"],
    ["a name, after the table's", "points.address is distinct from 'alice'"],
    ["a name in a CASE", "case address when 'alice' then true else false end"],
    ["a name in a list", "list_contains(['alice'], address)"],
    ["a name of ANY", "address = any(['alice'])"],
    ["a name in VALUES", "address not in (values ('alice'))"],
    ["a name, in lower case", "lower(address) = 'alice'"],
    ["an address in capitals", `upper(address) <> '${alice}'`],
    ["a part in capitals", "address not like '0x8CA%'"],
    ["a pattern in capitals", "regexp_matches(address, '^0x8CA')"],
    ["a beginning in capitals", "starts_with(address, '0x8CA')"],
    ["a slice in capitals", "address[3:5] = '8CA'"],
    ["a part in capitals, behind", "'0x8CA' <> left(address, 5)"],
  ])("%s", async (_, condition) => {
    expect(await refusalOf(where(condition))).toMatchObject({ code: "POLICY_REFUSED" });
  });

  test.each([
    "with p(account, n) as (select address, points from points) select account as address, n as score from p where account <> 'alice'",
    "select a as address, n as score from (select address as a, points as n from points) where a <> 'alice'",
    "select a as address, n as score from (select address, points from points) p(a, n) where a <> 'alice'",
    "select min(address) as address, 1 as score from points having min(address) <> 'alice'",
  ])("under another name: %s", async (sql) => {
    expect(await refusalOf(sql)).toMatchObject({ code: "POLICY_REFUSED" });
  });

  test("a short address is shown with its zeros", async () => {
    expect(await refusalOf(where("address = '0xA'"))).toMatchObject({
      metaMessages: [expect.stringContaining(`it is '0x${"0".repeat(39)}a'.`)],
    });
  });
});

describe("a query may have", () => {
  test.each([
    `address in ('${alice}', '${long}')`,
    `address <> '0x${"0".repeat(40)}'`,
    "address > '0x8'",
    "address like '0x8%'",
    "address ilike '0X8C%'",
    "not regexp_matches(address, '^0x8ca\\D')",
    "upper(address) = upper(concat(address, ''))",
    "address[3:5] = '8ca'",
    `'0xabcdef01' <> 'x'`,
    `points::varchar <> '${alice.slice(2).toUpperCase()}'`,
    `points::varchar <> '${padded}'`,
  ])("%s", async (condition) => {
    expect(await refusalOf(where(condition))).toBeUndefined();
  });

  test("a name that is an address in one place and a text in another", async () => {
    const sql = `with named(address, label) as (select address, case when points > 5 then 'big' else 'small' end from points)
      select label as address, 1 as score from named where label <> 'big'`;
    expect(await refusalOf(sql)).toBeUndefined();
  });
});

test("a column of text may have accounts as the chain writes them", () => {
  const literal = { class: "CONSTANT", value: { type: { id: "VARCHAR" }, value: bobBech32 } };
  const compared = (column: string) => {
    const node = { class: "COMPARISON", type: "COMPARE_EQUAL", left: { class: "COLUMN_REF", column_names: [column] } };
    return findTextProblems(
      [{ ...node, right: literal }, literal],
      [{ addresses: [], texts: ["referrer"], patterns: {} }],
    ).size;
  };
  expect([compared("referrer"), compared("contract")]).toEqual([0, 1]);
});

test("a column of text is not compared with addresses as it is", () => {
  const column = (name: string) => ({ class: "COLUMN_REF", column_names: [name] });
  const compared = (right: object) => {
    const node = { class: "COMPARISON", type: "COMPARE_EQUAL", left: column("trader"), right };
    return findTextProblems([node], [{ addresses: ["trader", "owner"], texts: ["referrer", "owner"], patterns: {} }])
      .size;
  };
  const lowered = { class: "FUNCTION", function_name: "lower", children: [column("referrer")] };
  expect([column("referrer"), lowered, column("owner")].map(compared)).toEqual([1, 0, 0]);
});
