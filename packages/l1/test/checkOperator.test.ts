import { expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { checkOperator } from "../src/index.ts";
import { json, refusal, serve, type Answer } from "./l1Server.ts";

const account = (text: string): ReturnType<typeof parseAccount> => parseAccount(text, { accountBytes: [20, 32] });
const key = account("init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq");
// A bridge's account has 32 bytes.
const bridge = account("init1raxlej4cyxhwd4mxstcycpj7lwpzmsyfjn29nhaycv3djr8gfv0qjyregt");

/** The answer about an account, as a node of L1 v1.4.6 gives it. */
const answerOf = (type: string): Answer =>
  json({ account: { "@type": type, address: "", pub_key: null, account_number: "80", sequence: "0" } });
const absent = refusal(5, "rpc error: code = NotFound desc = account not found: key not found", 404);

async function check(operator: typeof key, answer: Answer): Promise<void> {
  await using server = await serve(answer);
  await checkOperator({ l1RestUrl: server.url, operator });
  expect(server.requests[0]?.path).toBe(`/cosmos/auth/v1beta1/accounts/${formatBech32(operator)}`);
}

test.each([
  "/cosmos.auth.v1beta1.BaseAccount",
  "/cosmos.vesting.v1beta1.ContinuousVestingAccount",
  "/cosmos.vesting.v1beta1.DelayedVestingAccount",
  "/cosmos.vesting.v1beta1.PeriodicVestingAccount",
  "/cosmos.vesting.v1beta1.PermanentLockedAccount",
])("a %s can sign", async (type) => {
  await expect(check(key, answerOf(type))).resolves.toBeUndefined();
});

test.each([
  "/opinit.ophost.v1.BridgeAccount",
  "/cosmos.auth.v1beta1.ModuleAccount",
  "/ibc.applications.interchain_accounts.v1.InterchainAccount",
  "/initia.move.v1.ObjectAccount",
  "/initia.move.v1.TableAccount",
  "/some.module.v1.NewAccount",
])("a %s cannot sign, and is named", async (type) => {
  for (const operator of [key, bridge]) {
    await expect(check(operator, answerOf(type))).rejects.toMatchObject({
      code: "OPERATOR_INVALID",
      shortMessage: expect.stringContaining(type.split(".").at(-1) ?? "") as unknown,
    });
  }
});

test("an account of 32 bytes cannot sign, and its address is not repeated: it may be a key", async () => {
  for (const answer of [answerOf("/cosmos.auth.v1beta1.BaseAccount"), absent]) {
    const refused: unknown = await check(bridge, answer).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "OPERATOR_INVALID" });
    expect(String(refused)).not.toContain(formatBech32(bridge));
    expect(String(refused)).toContain("32 bytes");
  }
});

test("an address that L1 has no account for is named", async () => {
  await expect(check(key, absent)).rejects.toMatchObject({
    code: "OPERATOR_INVALID",
    shortMessage: expect.stringContaining(formatBech32(key)) as unknown,
  });
});
