import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatChecksummed, parseAccount } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { startTestChain, type JsonObject } from "./harness.ts";

const chain = started(() => startTestChain());

test("the accounts that write the scores must not have one", async () => {
  await chain.deploy(1);
  const { members } = await chain.ok(["status"]);
  const [member = ""] = members as unknown as readonly string[];
  const account = parseAccount(member, { accountBytes: [20] });
  await mkdir(join(chain.cwd, "policy"));
  const head = `name = "n"\nversion = "1"\nexclude = "exclude.csv"\n[rollup]\nchain_id = "31337"\n`;
  await chain.write(
    "policy/policy.toml",
    `${head}[window]\nblocks = [1, 1]\n[[source]]\nname = "calls"\nkind = "transactions"\n`,
  );
  await chain.write("policy/policy.sql", "select sender as address, count(*) as score from calls group by sender");
  const ruleSeven = async (excluded: string): Promise<JsonObject | undefined> => {
    await chain.write("policy/exclude.csv", `address\n${excluded}\n`);
    const result = await chain.cli(["score", "check", "policy", "--stage", "1", "--json"]);
    return (result.json()["checks"] as unknown as readonly JsonObject[]).find(({ check }) => check === "rule-7");
  };
  const scored = await ruleSeven(`0x${"7e".repeat(20)}`);
  expect(scored).toMatchObject({ state: "forbidden", accounts: [{ address: formatChecksummed(account) }] });
  expect(scored?.["text"]).toContain(account);
  expect(await ruleSeven(account)).toMatchObject({ state: "question", accounts: [] });
});
