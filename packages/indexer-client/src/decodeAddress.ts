/** The 32 characters of bech32 by their value (BIP-173). */
const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** The value of each of the 32 characters. */
const valueOf: ReadonlyMap<string, number> = new Map(Array.from(alphabet, (character, value) => [character, value]));

/** What the checksum's register is mixed with for each of the five bits that leave it (BIP-173). */
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The same for all five bits at once. */
const mixed: readonly number[] = Array.from(alphabet, (_, bits) =>
  generators.reduce((sum, generator, bit) => ((bits >> bit) & 1 ? sum ^ generator : sum), 0),
);

/** The checksum's register after the prefix `init`, spread to high bits, zero and low bits (BIP-173). */
const afterPrefix = [3, 3, 3, 3, 0, 9, 14, 9, 20].reduce(mix, 1);

/**
 * The bytes of an address in any spelling that the indexer takes, as `0x` and lower-case hex, so that two spellings of an
 * address compare with `===`: bech32 with the prefix `init`, or hex with or without `0x` and leading zeros. 20 bytes, or 32
 * that do not start with 12 zeros: on Move those are the account of the last 20.
 *
 * The indexer gives owners in bech32 and collections in hex, whatever it was asked with.
 *
 * @throws TypeError when the text is no address: another prefix, a wrong checksum, more than 32 bytes, `0X`.
 * @example
 * decodeAddress("init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz"); // 0xaaaa00000000000000000000000000000000aaaa
 */
export function decodeAddress(address: string): `0x${string}` {
  const [, digits = decodeBech32(address)] = /^(?:0x)?([0-9a-fA-F]{1,64})$/.exec(address) ?? [];
  if (digits === "") throw new TypeError(`${address.slice(0, 100)} is no address: neither hex nor bech32 of Initia`);
  const padded = digits.toLowerCase().padStart(digits.length > 40 ? 64 : 40, "0");
  return `0x${padded.replace(/^0{24}(?=.{40}$)/, "")}`;
}

/** The hex digits of the 20 or 32 bytes of a bech32 address; nothing when it is not one. */
function decodeBech32(address: string): string {
  const lower = address.toLowerCase();
  const isOneCase = address === lower || address === address.toUpperCase();
  // 32 or 52 characters of 5 bits each, and 6 of the checksum.
  if (!isOneCase || !/^init1(?:.{38}|.{58})$/.test(lower)) return "";
  let register = afterPrefix;
  let digits = "";
  let bits = 0;
  let bitCount = 0;
  for (let index = 5; index < lower.length; index += 1) {
    const value = valueOf.get(lower.charAt(index));
    if (value === undefined) return "";
    register = mix(register, value);
    if (index >= lower.length - 6) continue;
    bits = ((bits & 15) << 5) | value;
    for (bitCount += 5; bitCount >= 4;) {
      bitCount -= 4;
      digits += ((bits >> bitCount) & 15).toString(16);
    }
  }
  // The four bits that 32 bytes leave over have to be zero.
  const isWhole = digits.length === 40 || digits.endsWith("0");
  return register === 1 && isWhole ? digits.slice(0, digits.length === 40 ? 40 : 64) : "";
}

/** The checksum's register after one more value of 5 bits. */
function mix(register: number, value: number): number {
  return ((register & 0x1ffffff) << 5) ^ value ^ (mixed[register >> 25] ?? 0);
}
