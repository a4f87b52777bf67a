import { privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { testAccounts } from "../src/index.ts";

test("the keys derived from the public mnemonics belong to the addresses", () => {
  for (const [name, account] of Object.entries(testAccounts)) {
    expect(account.name).toBe(name);
    expect(privateKeyToAddress(account.privateKey)).toBe(account.address);
  }
  expect(testAccounts.deployer.address).toBe("0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475");
  expect(testAccounts.operator.address).toBe("0x8caD25eC80a10522C258e2F59Abf0006C9445D1B");
});
