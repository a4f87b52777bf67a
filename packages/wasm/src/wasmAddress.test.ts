import { expect, test } from "vitest";
import type { Account } from "@vipscore/core";
import { accountOfAddress, addressOf, parseContractAddress } from "./wasmAddress.ts";

test.each([20, 32])("addresses of %i bytes survive a round trip, including the zero address", (bytes) => {
  for (const digit of ["0", "5", "f"]) {
    const account = `0x${digit.repeat(2 * bytes)}` as Account;
    expect(accountOfAddress(addressOf(account))).toBe(account);
  }
});

test("any other spelling is not an address", () => {
  const address = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";
  expect(accountOfAddress(address)).toBe("0xc5ea55d90ae84e307622f1b8b13535ec3eff0475");
  for (const text of [
    address.toUpperCase(),
    ` ${address}`,
    address.slice(0, -1),
    `${address.slice(0, -1)}7`,
    "cosmos1ch49tkg2ap8rqa3z7xutzdf4asl07pr4asj5q9",
    "init1",
    "",
    "x".repeat(5000),
    "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475",
    7n,
    null,
    undefined,
  ]) {
    expect(accountOfAddress(text)).toBeUndefined();
  }
});

test("a contract's address is bech32 in either case, or hex", () => {
  const address = addressOf(`0x${"ab".repeat(32)}` as Account);
  expect(parseContractAddress(address.toUpperCase())).toBe(address);
  expect(parseContractAddress(`0x${"AB".repeat(32)}`)).toBe(address);
  expect(() => parseContractAddress("init1nobody")).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
});
