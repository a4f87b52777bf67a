/**
 * Returns a message or an answer as it is, unless JavaScript has rounded a number in it: scores and totals reach 2^64 - 1.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function exact(value) {
  JSON.stringify(value, (key, part) => {
    if (typeof part !== "number" || Number.isSafeInteger(part)) return part;
    throw new RangeError(`${key}: ${part} is not an integer below 2^53; @vipscore/wasm reads and writes larger ones`);
  });
  return value;
}
