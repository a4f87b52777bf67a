import { Tx } from "@initia/initia.js";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { testAccount } from "@vipscore/testkit/adapter/account";
import { encodeCall } from "../src/encodeCall.ts";
import { moveAccount } from "../src/index.ts";

testAccount(moveAccount, testAccounts);

describe.each([
  [60, "/initia.crypto.v1beta1.ethsecp256k1.PubKey"],
  [118, "/cosmos.crypto.secp256k1.PubKey"],
] as const)("a transaction of a key of coin type %i", (coinType, type) => {
  test("contains signer, fee and message", async () => {
    const account = moveAccount({ mnemonic: testAccounts.deployer.mnemonic, coinType });
    const target = { signer: account.account, module: account.account, isOurs: true };
    const message = encodeCall(target, { kind: "finalizeStage", stage: stage(3n) });
    const unsigned = { message, chainId: "test-1", accountNumber: 7n, sequence: 5n, gas: 100_000n };
    const decode = (bytes: Uint8Array) => Tx.fromBuffer(Buffer.from(bytes)).toData();
    const tx = decode(await account.signTransaction({ ...unsigned, fee: { denom: "umin", amount: 1500n } }));
    expect(tx.auth_info.signer_infos).toMatchObject([{ sequence: "5", public_key: { "@type": type } }]);
    expect(tx.auth_info.fee).toMatchObject({ gas_limit: "100000", amount: [{ denom: "umin", amount: "1500" }] });
    expect(tx.body.messages).toEqual([message.json()]);
    expect(Buffer.from(tx.signatures[0] ?? "", "base64")).toHaveLength(64);
    const free = decode(await account.signTransaction({ ...unsigned, fee: undefined }));
    expect(free.auth_info.fee.amount).toEqual([]);
  });
});
