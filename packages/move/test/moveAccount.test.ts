import { Tx } from "@initia/initia.js";
import { testAccounts } from "@vipscore/localnet";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { encodeCall } from "../src/encodeCall.ts";
import { moveAccount } from "../src/moveAccount.ts";
import { stage } from "@vipscore/core";

const { mnemonic, privateKey } = testAccounts.deployer;

test("a mnemonic of coin type 60 gives the address of the wallets of Initia, its private key the same", () => {
  // recorded on minimove
  const address = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
  expect(moveAccount({ mnemonic }).address).toBe(address);
  expect(moveAccount({ mnemonic: `  ${mnemonic.replaceAll(" ", "\n ")} ` }).address).toBe(address);
  expect(moveAccount({ privateKey })).toMatchObject({ address, account: testAccounts.deployer.address.toLowerCase() });
  expect(moveAccount({ privateKey: privateKey.slice(2) }).address).toBe(address);
});

test("coin type 118 is another key of another kind", () => {
  const cosmos = moveAccount({ mnemonic, coinType: 118 });
  expect(cosmos.address).toMatch(/^init1[0-9a-z]{38}$/);
  expect(cosmos.address).not.toBe(moveAccount({ mnemonic }).address);
  expect(moveAccount({ privateKey, coinType: 118 }).address).not.toBe(cosmos.address);
});

test("nothing that prints an account prints its key", () => {
  const account = moveAccount({ mnemonic });
  const printed = inspect(account, { depth: 9, showHidden: true }) + JSON.stringify(account);
  expect(printed).toContain(account.address);
  expect(printed).not.toContain(privateKey.slice(2));
  expect(printed).not.toContain("room");
  expect(printed).not.toMatch(/privateKey|mnemonic/);
});

test.each([
  ["a word too few", { mnemonic: mnemonic.split(" ").slice(1).join(" ") }],
  ["no word", { mnemonic: "" }],
  ["a digit too few", { privateKey: privateKey.slice(0, -1) }],
  ["another text", { privateKey: "0xnot-a-key-but-something-secret" }],
  ["the zero key", { privateKey: "00".repeat(32) }],
  ["a key above the curve's order", { privateKey: "ff".repeat(32) }],
])("%s is refused without repeating it", (_, key) => {
  const text = Object.values(key)[0] ?? "";
  let thrown: unknown;
  try {
    moveAccount(key);
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
    const account = moveAccount({ mnemonic, coinType });
    const target = { module: account.account, isOurs: true };
    const message = encodeCall(account.address, account.account, target, { kind: "finalizeStage", stage: stage(3n) });
    const unsigned = { message, chainId: "test-1", accountNumber: 7n, sequence: 5n, gas: 100_000n };
    const decode = (bytes: Uint8Array) => Tx.fromBuffer(Buffer.from(bytes)).toData();
    const tx = decode(await account.signTransaction({ ...unsigned, fee: { denom: "umin", amount: 1500n } }));
    expect(tx.auth_info.signer_infos).toMatchObject([{ sequence: "5", public_key: { "@type": type } }]);
    expect(tx.auth_info.fee).toMatchObject({ gas_limit: "100000", amount: [{ denom: "umin", amount: "1500" }] });
    expect(tx.body.messages).toEqual([message.toData()]);
    expect(Buffer.from(tx.signatures[0] ?? "", "base64")).toHaveLength(64);
    const free = decode(await account.signTransaction({ ...unsigned, fee: undefined }));
    expect(free.auth_info.fee.amount).toEqual([]);
  });
});
