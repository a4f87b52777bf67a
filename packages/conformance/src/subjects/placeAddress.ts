/**
 * Returns compiled Move code with every occurrence of a placeholder replaced by an address, both of 32 bytes.
 *
 * @throws Error if the placeholder does not occur.
 */
export function placeAddress(code: Buffer, placeholder: Buffer, address: Buffer): Buffer {
  const placed = Buffer.from(code);
  let at = placed.indexOf(placeholder);
  if (at === -1) throw new Error("the compiled code does not have the placeholder of its address");
  for (; at !== -1; at = placed.indexOf(placeholder, at + address.length)) address.copy(placed, at);
  return placed;
}
