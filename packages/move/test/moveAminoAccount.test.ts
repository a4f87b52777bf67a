import { AuthInfo, Coins, Fee, ModeInfo, MsgPublish, RawKey, Tx, TxBody } from "@initia/initia.js";
import { expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { privateKeyOf } from "@vipscore/core/cosmos";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testAminoAccount } from "@vipscore/testkit/adapter/aminoAccount";
import { aminoKey } from "@vipscore/testkit/adapter/aminoKey";
import { encodeCall } from "../src/encodeCall.ts";
import { moveAccount, moveAminoAccount } from "../src/index.ts";
import { startMove } from "./moveChain.ts";

testAminoAccount(
  useChain(() => startMove()),
  moveAccount,
  moveAminoAccount,
);

const { SIGN_MODE_EIP_191, SIGN_MODE_LEGACY_AMINO_JSON } = ModeInfo.SignMode;

test.each([
  [60, SIGN_MODE_EIP_191],
  [118, SIGN_MODE_LEGACY_AMINO_JSON],
] as const)("a transaction of coin type %i has the bytes of one that initia.js signs", async (coinType, signMode) => {
  const key = { privateKey: "0c".repeat(32), coinType };
  const account = moveAminoAccount(aminoKey(key));
  const theirs = new RawKey(Buffer.from(privateKeyOf(key)), coinType === 60);
  const target = { sender: account.address, signer: account.account, module: account.account, isOurs: true };
  const call = encodeCall(target, { kind: "finalizeStage", stage: stage(3n) });
  for (const message of [call, new MsgPublish(account.address, ["AAEC"], MsgPublish.Policy.COMPATIBLE)]) {
    const unsigned = { message, chainId: "test-1", accountNumber: 7n, sequence: 5n, gas: 100_000n };
    for (const fee of [undefined, { denom: "umin", amount: 1500n }]) {
      const coins = fee === undefined ? new Coins() : "1500umin";
      const tx = new Tx(new TxBody([message]), new AuthInfo([], new Fee(100_000, coins)), []);
      const signed = await theirs.signTx(tx, { accountNumber: 7, sequence: 5, chainId: "test-1", signMode });
      expect(Buffer.from(await account.signTransaction({ ...unsigned, fee }))).toEqual(Buffer.from(signed.toBytes()));
    }
  }
});
