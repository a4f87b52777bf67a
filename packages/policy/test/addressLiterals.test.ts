import { describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
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

describe("a query may have", () => {
  test.each([
    `address in ('${alice}', '${long}')`,
    `address <> '0x${"0".repeat(40)}'`,
    "address > '0x8'",
    "address ilike '0X8C%'",
    "not regexp_matches(address, '^0x8ca\\D')",
    `'0xABCDEF01' <> 'x'`,
    `points::varchar <> '${alice.slice(2).toUpperCase()}'`,
    `points::varchar <> '${padded}'`,
  ])("%s", async (condition) => {
    expect(await refusalOf(where(condition))).toBeUndefined();
  });
});
