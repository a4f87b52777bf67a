import { bech32, bech32m } from "@scure/base";
import { describe, expect, it, test } from "vitest";
import { InputError } from "../errors/inputError.ts";
import { formatBech32, formatChecksummed, parseAccount, readAccount, type AccountOptions } from "./readAccount.ts";

const evm: AccountOptions = { accountBytes: [20] };
const move: AccountOptions = { accountBytes: [20, 32] };

// The VIP integration guide's public test accounts, deployer and operator, as spelled by a minievm and a minimove.
const knownAccounts = [
  ["0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6"],
  ["0x8CAd25ec80A10522c258e2f59aBF0006c9445d1b", "init13jkjtmyq5yzj9sjcut6e40cqqmy5ghgmwz3rlq"],
] as const;

// The test cases of https://eips.ethereum.org/EIPS/eip-55.
const eip55Vectors = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

const hex32 = `0x${"ab".repeat(32)}`;
const padded = `0x${"00".repeat(12)}${"ab".repeat(20)}`;

function reasonOf(text: string, options: AccountOptions): string {
  const read = readAccount(text, options);
  return typeof read === "string" ? "accepted" : read.reason;
}

function encode(prefix: string, bytes: number): string {
  return bech32.encode(prefix, bech32.toWords(new Uint8Array(bytes).fill(7)), false);
}

test("the address in a topic of a log is named", () => {
  expect(readAccount(padded, evm)).toMatchObject({
    reason: "ADDRESS_LENGTH",
    message: expect.stringContaining(` 0x${"ab".repeat(20)}`) as string,
  });
  expect(readAccount(padded, move)).toBe(`0x${"ab".repeat(20)}`);
});

test.each(eip55Vectors)("EIP-55 vector %s", (vector) => {
  const account = parseAccount(vector, evm);
  expect(account).toBe(vector.toLowerCase());
  expect(formatChecksummed(account)).toBe(vector);
});

test.each(knownAccounts)("%s is %s", (hex, text) => {
  const account = parseAccount(hex.toLowerCase(), evm);
  expect(parseAccount(text, evm)).toBe(account);
  expect(parseAccount(text.toUpperCase(), evm)).toBe(account);
  expect(formatBech32(account)).toBe(text);
  expect(formatChecksummed(account).toLowerCase()).toBe(hex.toLowerCase());
});

test("the deployer's checksummed spelling matches minievm's", () => {
  expect(formatChecksummed(parseAccount(knownAccounts[0][1], evm))).toBe(knownAccounts[0][0]);
});

describe("accepted spellings", () => {
  it("takes hex of one case and ignores white space around it", () => {
    const account = `0x${"ab".repeat(20)}`;
    expect(parseAccount(` \t${account}\r\n`, evm)).toBe(account);
    expect(parseAccount(account.toUpperCase(), evm)).toBe(account);
    expect(parseAccount("0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", evm)).toBe(
      "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    );
    expect(parseAccount(`0x${"AB".repeat(20)}`, evm)).toBe(account);
  });

  it("takes 32 bytes if they are allowed, in upper or lower case, as hex and as bech32", () => {
    const account = parseAccount(hex32, move);
    expect(account).toBe(hex32);
    expect(parseAccount(`0x${"aB".repeat(32)}`, move)).toBe(account);
    expect(formatBech32(account)).toHaveLength(63);
    expect(parseAccount(formatBech32(account), move)).toBe(account);
    expect(formatChecksummed(account)).toBe(hex32);
  });

  it("reads 32 bytes that start with 12 zero bytes as 20 bytes if both lengths are allowed", () => {
    expect(parseAccount(padded, move)).toBe(`0x${"ab".repeat(20)}`);
    expect(parseAccount(padded, { accountBytes: [32] })).toBe(padded);
    expect(parseAccount(formatBech32(parseAccount(padded, { accountBytes: [32] })), move)).toBe(`0x${"ab".repeat(20)}`);
  });

  it("accepts the prefix in bech32Prefix", () => {
    const account = parseAccount(hex32, move);
    expect(parseAccount(formatBech32(account, "cosmos"), { ...move, bech32Prefix: "cosmos" })).toBe(account);
    expect(reasonOf(formatBech32(account), { ...move, bech32Prefix: "cosmos" })).toBe("ADDRESS_PREFIX");
  });
});

test.each([
  ["nothing", "", evm, "ADDRESS_INVALID"],
  ["words", "hello world", evm, "ADDRESS_INVALID"],
  ["0x alone", "0x", evm, "ADDRESS_INVALID"],
  ["an upper-case 0X before a wrong digit", `0X${"ab".repeat(19)}ag`, evm, "ADDRESS_INVALID"],
  ["an upper-case 0X and a wrong EIP-55 case", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", evm, "ADDRESS_CHECKSUM"],
  ["hex without 0x", "ab".repeat(20), evm, "ADDRESS_INVALID"],
  ["a letter that is not a hex digit", `0x${"ag".repeat(20)}`, evm, "ADDRESS_INVALID"],
  ["a full-width digit", `0x${"ab".repeat(19)}a１`, evm, "ADDRESS_INVALID"],
  ["a space inside", `0x${"ab".repeat(10)} ${"ab".repeat(10)}`, evm, "ADDRESS_INVALID"],
  ["bech32 of mixed case", "init1CH49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6", evm, "ADDRESS_INVALID"],
  ["very long bech32", `init1${"q".repeat(70_000)}`, evm, "ADDRESS_INVALID"],
  ["one wrong case", "0xc5ea55d90ae84e307622f1b8B13535Ec3Eff0475", evm, "ADDRESS_CHECKSUM"],
  ["one wrong digit", "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0476", evm, "ADDRESS_CHECKSUM"],
  ["one wrong character", "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps7", evm, "ADDRESS_CHECKSUM"],
  ["a character outside bech32", "init1bh49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6", evm, "ADDRESS_CHECKSUM"],
  ["bech32m", bech32m.encode("init", bech32m.toWords(new Uint8Array(20))), evm, "ADDRESS_CHECKSUM"],
  ["another chain's prefix", encode("cosmos", 20), evm, "ADDRESS_PREFIX"],
  ["a validator's prefix", encode("initvaloper", 20), evm, "ADDRESS_PREFIX"],
  ["39 digits", `0x${"a".repeat(39)}`, evm, "ADDRESS_LENGTH"],
  ["41 digits", `0x${"a".repeat(41)}`, evm, "ADDRESS_LENGTH"],
  ["63 digits", `0x${"a".repeat(63)}`, move, "ADDRESS_LENGTH"],
  ["a short Move address", "0x1", move, "ADDRESS_LENGTH"],
  ["32 bytes on EVM", hex32, evm, "ADDRESS_LENGTH"],
  ["padded 32 bytes on EVM", padded, evm, "ADDRESS_LENGTH"],
  ["bech32 of 32 bytes on EVM", encode("init", 32), evm, "ADDRESS_LENGTH"],
  ["20 bytes where only 32 are allowed", `0x${"ab".repeat(20)}`, { accountBytes: [32] }, "ADDRESS_LENGTH"],
  ["bech32 of 21 bytes", encode("init", 21), move, "ADDRESS_LENGTH"],
  ["bech32 of a partial byte", bech32.encode("init", [1, 2, 3], false), move, "ADDRESS_LENGTH"],
  ["the zero address", `0x${"0".repeat(40)}`, evm, "ADDRESS_ZERO"],
  ["32 zero bytes", `0x${"0".repeat(64)}`, move, "ADDRESS_ZERO"],
  ["the zero address in bech32", bech32.encode("init", bech32.toWords(new Uint8Array(20))), evm, "ADDRESS_ZERO"],
] as const)("refuses %s", (_what, text, options, reason) => {
  expect(reasonOf(text, options)).toBe(reason);
});

test("a short address has to be copied again, since it may have lost any digit; Move's nodes omit zeros in front", () => {
  const adviceOn = (text: string, options: AccountOptions): string => {
    const problem = readAccount(text, options);
    return typeof problem === "string" ? expect.fail(problem) : problem.message;
  };
  for (const text of ["0x1", "0x22222222", `0x${"a".repeat(39)}`, `0x${"a".repeat(63)}`]) {
    expect(adviceOn(text, move)).toMatch(/\bcopy\b.*\bzeros\b/);
    expect(adviceOn(text, evm)).toMatch(/\bcopy\b(?!.*\bzeros\b)/);
  }
});

test("parseAccount throws with the problem's message", () => {
  expect(() => parseAccount(hex32, evm)).toThrow(InputError);
  const problem = readAccount(hex32, evm);
  expect(problem).toMatchObject({ message: expect.stringMatching(/"0xabab…abab".*\b32\b/) as string });
  expect(() => parseAccount(hex32, evm)).toThrow((problem as { readonly message: string }).message);
});
