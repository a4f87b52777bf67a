/** The prefix of addresses on Initia and its rollups. */
const prefix = "init";

/** The characters of 5-bit words (BIP-173). */
const characters = Buffer.from("qpzry9x8gf2tvdw0s3jn54khce6mua7l");

/** The generator of BIP-173's checksum, for each bit that leaves its 30-bit state. */
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The sum of the generator's parts for each 5 bits that leave the state. */
const reductions = Array.from({ length: 32 }, (_, bits) =>
  generator.reduce((sum, part, bit) => ((bits >> bit) & 1 ? sum ^ part : sum), 0),
);

/** The state of the checksum after the prefix. */
const prefixState = [
  ...Array.from(prefix, (character) => character.charCodeAt(0) >> 5),
  0,
  ...Array.from(prefix, (character) => character.charCodeAt(0) & 31),
].reduce(nextState, 1);

/** Number of words of the checksum. */
const checksumWords = 6;

/** The text being written: of 32 bytes at most. */
const written = Buffer.from(`${prefix}1`.padEnd(prefix.length + 1 + Math.ceil((32 * 8) / 5) + checksumWords));
const start = prefix.length + 1;

/**
 * Returns the bech32 text of an address, as `formatBech32` does: written for pages of a thousand owners, which it
 * formats ten times as fast.
 *
 * @param address - `0x` and lowercase hex.
 */
export function bech32Text(address: string): string {
  if (!(address.length > 2 && address.length <= 66)) throw new RangeError("not an address of 1 to 32 bytes");
  let state = prefixState;
  let bits = 0;
  let held = 0;
  let length = start;
  const add = (word: number): void => {
    state = nextState(state, word);
    written[length++] = characters[word] ?? 0;
  };
  for (let index = 2; index < address.length; index += 1) {
    held = (held << 4) | digitOf(address.charCodeAt(index));
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    add((held >> bits) & 31);
  }
  if (bits > 0) add((held << (5 - bits)) & 31);
  for (let index = 0; index < checksumWords; index += 1) state = nextState(state, 0);
  state ^= 1;
  for (let index = checksumWords - 1; index >= 0; index -= 1) {
    written[length++] = characters[(state >> (5 * index)) & 31] ?? 0;
  }
  return written.toString("latin1", 0, length);
}

function nextState(state: number, word: number): number {
  return ((state & 0x1ff_ffff) << 5) ^ word ^ (reductions[state >> 25] ?? 0);
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  throw new RangeError(`"${String.fromCharCode(code)}" is not a hex digit`);
}
