import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { AccountKey } from "@vipscore/core/keys";

/** An account whose keys and addresses are known. */
interface KnownAccount {
  readonly mnemonic: string;
  readonly privateKey: string;
  /** In hex. */
  readonly address: string;
}

/**
 * Registers the tests of the accounts of Move and Wasm: the addresses of a key, and that keys stay secret.
 *
 * @param make Creates an account from a mnemonic or a private key.
 * @param known The accounts of local nodes.
 */
export function testAccount(
  make: (key: AccountKey) => { readonly address: string; readonly account: string },
  known: { readonly deployer: KnownAccount; readonly operator: KnownAccount },
): void {
  const { mnemonic, privateKey } = known.deployer;
  const operator = { mnemonic: known.operator.mnemonic };

  describe("an account", () => {
    test("of a mnemonic with coin type 60 has the address of Initia's wallets, as has one of its private key", () => {
      // recorded on minimove and miniwasm
      const address = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
      const account = known.deployer.address.toLowerCase();
      for (const text of [mnemonic, `  ${mnemonic.replaceAll(" ", "\n ")} `]) {
        expect(make({ mnemonic: text })).toMatchObject({ address, account });
      }
      for (const text of [privateKey, privateKey.slice(2)]) {
        expect(make({ privateKey: text })).toMatchObject({ address, account });
      }
      expect(make(operator)).toMatchObject({
        address: "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq",
        account: known.operator.address.toLowerCase(),
      });
    });

    test("of coin type 118 has a different key of a different kind", () => {
      const coinType = 118;
      // recorded on miniwasm with cosmjs
      expect(make({ mnemonic, coinType }).address).toBe("init124xhm8hrpal3hfum9vh7nmd68sgveh8755un7f");
      // funded under this address by vipnode
      expect(make({ ...operator, coinType }).address).toBe("init1qxk76krfvj0srlx3y09mq9vw26wmdk56lu6s86");
      expect(make({ privateKey, coinType }).address).not.toBe(make({ privateKey }).address);
    });

    test("is printed without its key", () => {
      const account = make({ mnemonic });
      const printed = inspect(account, { depth: 9, showHidden: true }) + JSON.stringify(account);
      expect(printed).toContain(account.address);
      expect(printed).not.toContain(privateKey.slice(2));
      expect(printed).not.toContain("room");
      expect(printed).not.toMatch(/privateKey|mnemonic/);
    });

    test.each<[string, AccountKey]>([
      ["a word too few", { mnemonic: mnemonic.split(" ").slice(1).join(" ") }],
      ["no word", { mnemonic: "" }],
      ["a digit too few", { privateKey: privateKey.slice(0, -1) }],
      ["any other text", { privateKey: "0xnot-a-key-but-something-secret" }],
      ["the zero key", { privateKey: "00".repeat(32) }],
      ["a key above the curve's order", { privateKey: "ff".repeat(32) }],
    ])("of an invalid key is refused without repeating the key: %s", (_, key) => {
      const text = key.mnemonic ?? key.privateKey;
      let thrown: unknown;
      try {
        make(key);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: "KEY_INVALID" });
      // The empty text is in every text.
      expect(inspect(thrown)).not.toContain(text === "" ? mnemonic : text);
    });
  });
}
