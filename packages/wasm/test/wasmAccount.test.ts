import { stage } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { MsgExecuteContract } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import { AuthInfo, Tx } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { encodeCall } from "../src/encodeCall.ts";
import { wasmAccount } from "../src/wasmAccount.ts";

const { mnemonic, privateKey } = testAccounts.deployer;

test("a mnemonic of coin type 60 gives the address of the wallets of Initia, its private key the same", () => {
  // recorded on miniwasm
  const address = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
  expect(wasmAccount({ mnemonic }).address).toBe(address);
  expect(wasmAccount({ mnemonic: `  ${mnemonic.replaceAll(" ", "\n ")} ` }).address).toBe(address);
  expect(wasmAccount({ privateKey })).toMatchObject({ address, account: testAccounts.deployer.address.toLowerCase() });
  expect(wasmAccount({ privateKey: privateKey.slice(2) }).address).toBe(address);
  const operator = wasmAccount({ mnemonic: testAccounts.operator.mnemonic });
  expect(operator.address).toBe("init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq");
  expect(operator.account).toBe(testAccounts.operator.address.toLowerCase());
});

test("coin type 118 is another key of another kind", () => {
  // recorded on miniwasm with cosmjs
  expect(wasmAccount({ mnemonic, coinType: 118 }).address).toBe("init124xhm8hrpal3hfum9vh7nmd68sgveh8755un7f");
  const operator = wasmAccount({ mnemonic: testAccounts.operator.mnemonic, coinType: 118 });
  // funded under this address by vipnode
  expect(operator.address).toBe("init1qxk76krfvj0srlx3y09mq9vw26wmdk56lu6s86");
  expect(wasmAccount({ privateKey, coinType: 118 }).address).not.toBe(wasmAccount({ privateKey }).address);
});

test("nothing that prints an account prints its key", () => {
  const account = wasmAccount({ mnemonic });
  const printed = inspect(account, { depth: 9, showHidden: true }) + JSON.stringify(account);
  expect(printed).toContain(account.address);
  expect(printed).not.toContain(privateKey.slice(2));
  expect(printed).not.toContain("room");
  expect(printed).not.toMatch(/privateKey|mnemonic/);
});

test.each([
  ["a word too few", { mnemonic: mnemonic.split(" ").slice(1).join(" ") }],
  ["a word in another place", { mnemonic: mnemonic.split(" ").reverse().join(" ") }],
  ["no word", { mnemonic: "" }],
  ["a digit too few", { privateKey: privateKey.slice(0, -1) }],
  ["another text", { privateKey: "0xnot-a-key-but-something-secret" }],
  ["the zero key", { privateKey: "00".repeat(32) }],
  ["a key above the curve's order", { privateKey: "ff".repeat(32) }],
])("%s is refused without repeating it", (_, key) => {
  const text = Object.values(key)[0] ?? "";
  let thrown: unknown;
  try {
    wasmAccount(key);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "KEY_INVALID" });
  if (text !== "") expect(inspect(thrown)).not.toContain(text);
});

describe.each([
  [60, "/initia.crypto.v1beta1.ethsecp256k1.PubKey"],
  [118, "/cosmos.crypto.secp256k1.PubKey"],
] as const)("a transaction of a key of coin type %i", (coinType, type) => {
  test("says who signs, what is paid and what is done", async () => {
    const account = wasmAccount({ mnemonic, coinType });
    const target = { sender: account.address, contract: account.address };
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
