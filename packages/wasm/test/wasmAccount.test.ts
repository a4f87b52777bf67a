import { AuthInfo, Tx } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { MsgExecuteContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { testAccount } from "@vipscore/testkit/adapter/account";
import { encodeCall } from "../src/encodeCall.ts";
import { wasmAccount } from "../src/index.ts";

testAccount(wasmAccount, testAccounts);

test("a mnemonic with swapped words is refused without repeating it", () => {
  const words = testAccounts.deployer.mnemonic.split(" ").reverse().join(" ");
  const refused = { code: "KEY_INVALID", message: expect.not.stringContaining(words) as string };
  expect(() => wasmAccount({ mnemonic: words })).toThrow(expect.objectContaining(refused));
});

describe.each([
  [60, "/initia.crypto.v1beta1.ethsecp256k1.PubKey"],
  [118, "/cosmos.crypto.secp256k1.PubKey"],
] as const)("a transaction of a key of coin type %i", (coinType, type) => {
  test("contains signer, fee and message", async () => {
    const account = wasmAccount({ mnemonic: testAccounts.deployer.mnemonic, coinType });
    const target = { signer: account.account, contract: account.address };
    const message = encodeCall(target, { kind: "finalizeStage", stage: stage(2n ** 53n + 1n) });
    const unsigned = { message, chainId: "test-1", accountNumber: 7n, sequence: 5n, gas: 100_000n };
    const decode = (bytes: Uint8Array) => Tx.decode(bytes);
    const tx = decode(await account.signTransaction({ ...unsigned, fee: { denom: "umin", amount: 1500n } }));
    expect(tx.authInfo).toMatchObject({
      signerInfos: [{ sequence: 5n, publicKey: { typeUrl: type } }],
      fee: { gasLimit: 100_000n, amount: [{ denom: "umin", amount: "1500" }] },
    });
    expect(tx.body?.messages).toHaveLength(1);
    const sent = MsgExecuteContract.decode(tx.body!.messages[0]!.value);
    expect(Buffer.from(sent.msg).toString()).toBe('{"finalize_stage":{"stage":9007199254740993}}');
    expect(sent.funds).toEqual([]);
    expect(tx.signatures[0]).toHaveLength(64);
    const free = decode(await account.signTransaction({ ...unsigned, fee: undefined }));
    expect((free.authInfo ?? AuthInfo.fromPartial({})).fee?.amount).toEqual([]);
  });
});
