import { inspect } from "node:util";
import { Tx } from "@initia/initia.js";
import { describe, expect, test } from "vitest";
import { stage } from "@vipscore/core";
import type { AccountKey } from "@vipscore/core/keys";
import { testAccounts } from "@vipscore/localnet";
import { encodeCall } from "../src/encodeCall.ts";
import { moveAccount } from "../src/index.ts";

// The accounts of Wasm are the same: both are those of @vipscore/cosmos.

const { mnemonic, privateKey } = testAccounts.deployer;
const operator = { mnemonic: testAccounts.operator.mnemonic };

describe("an account", () => {
  test("of a mnemonic with coin type 60 has the address of Initia's wallets, as has one of its private key", () => {
    // recorded on minimove and miniwasm
    const address = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
    const account = testAccounts.deployer.address.toLowerCase();
    for (const text of [mnemonic, `  ${mnemonic.replaceAll(" ", "\n ")} `]) {
      expect(moveAccount({ mnemonic: text })).toMatchObject({ address, account });
    }
    for (const text of [privateKey, privateKey.slice(2)]) {
      expect(moveAccount({ privateKey: text })).toMatchObject({ address, account });
    }
    expect(moveAccount(operator)).toMatchObject({
      address: "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
      account: testAccounts.operator.address.toLowerCase(),
    });
  });

  test("of coin type 118 has a different key of a different kind", () => {
    const coinType = 118;
    // recorded on miniwasm with cosmjs
    expect(moveAccount({ mnemonic, coinType }).address).toBe("init124xhm8hrpal3hfum9vh7nmd68sgveh8755un7f");
    // funded under this address by vipnode
    expect(moveAccount({ ...operator, coinType }).address).toBe("init1qxk76krfvj0srlx3y09mq9vw26wmdk56lu6s86");
    expect(moveAccount({ privateKey, coinType }).address).not.toBe(moveAccount({ privateKey }).address);
  });

  test("is printed without its key", () => {
    const account = moveAccount({ mnemonic });
    const printed = inspect(account, { depth: 9, showHidden: true }) + JSON.stringify(account);
    expect(printed).toContain(account.address);
    expect(printed).not.toContain(privateKey.slice(2));
    expect(printed).not.toContain("room");
    expect(printed).not.toMatch(/privateKey|mnemonic/);
  });

  test.each<[string, AccountKey]>([
    ["a word too few", { mnemonic: mnemonic.split(" ").slice(1).join(" ") }],
    ["no word", { mnemonic: "" }],
    ["words in another order", { mnemonic: mnemonic.split(" ").reverse().join(" ") }],
    ["a digit too few", { privateKey: privateKey.slice(0, -1) }],
    ["any other text", { privateKey: "0xnot-a-key-but-something-secret" }],
    ["the zero key", { privateKey: "00".repeat(32) }],
    ["a key above the curve's order", { privateKey: "ff".repeat(32) }],
  ])("of an invalid key is refused without repeating the key: %s", (_, key) => {
    const text = key.mnemonic ?? key.privateKey;
    let thrown: unknown;
    try {
      moveAccount(key);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "KEY_INVALID" });
    // The empty text is in every text.
    expect(inspect(thrown)).not.toContain(text === "" ? mnemonic : text);
  });
});

test("a call in JSON is the message of its transaction", async () => {
  const account = moveAccount({ mnemonic });
  const target = { signer: account.account, module: account.account, hasRoles: true };
  const message = encodeCall(target, { kind: "finalizeStage", stage: stage(3n) });
  const unsigned = { message, chainId: "test-1", accountNumber: 7n, sequence: 5n, gas: 100_000n, fee: undefined };
  const { body } = Tx.fromBuffer(Buffer.from(await account.signTransaction(unsigned))).toData();
  expect(body.messages).toEqual([message.json()]);
});
