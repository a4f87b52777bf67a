import { expect, test } from "vitest";
import { openRest } from "@vipscore/core/wire";
import { script } from "@vipscore/testkit/scriptedServer";
import { readBalances } from "./transactionSigner.ts";

test("balances, also above 64 bits", async () => {
  const balances = [
    { denom: "l2/5eb0c0", amount: "18446744073709551615" },
    { denom: "umin", amount: "7" },
    { denom: "l2/6ec1d1", amount: "1000000000000000000000" },
  ];
  const { url } = await script({
    "/cosmos/bank/v1beta1/balances/init1": [{ body: { balances } }],
    "/cosmos/bank/v1beta1/balances/init2": [{ body: { balances: [] } }],
  });
  const rest = openRest(url);
  expect(await readBalances(rest, "init1", undefined)).toEqual([
    { denom: "l2/5eb0c0", amount: 2n ** 64n - 1n },
    { denom: "umin", amount: 7n },
    { denom: "l2/6ec1d1", amount: 10n ** 21n },
  ]);
  expect(await readBalances(rest, "init2", undefined)).toEqual([]);
});
