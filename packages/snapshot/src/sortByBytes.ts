/**
 * Returns the indexes of entries of 32 bytes each, ascending by these bytes. Equal entries keep their order.
 *
 * @param entries - Entry `i` is at byte `32 * i`.
 */
export function sortByBytes(entries: Uint8Array): Uint32Array {
  const view = viewOf(entries);
  const order = new Uint32Array(entries.length / 32);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return order.sort((left, right) => compareEntries(view, left, view, right));
}

/** Finds a 32-byte entry by its bytes; undefined if no entry has them. */
export function findByBytes(entries: Uint8Array, order: Uint32Array, wanted: Uint8Array): number | undefined {
  const view = viewOf(entries);
  const wantedView = viewOf(wanted);
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const index = order[middle] ?? 0;
    const difference = compareEntries(view, index, wantedView, 0);
    if (difference === 0) return index;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function compareEntries(one: DataView, left: number, other: DataView, right: number): number {
  for (let offset = 0; offset < 32; offset += 4) {
    const difference = one.getUint32(32 * left + offset) - other.getUint32(32 * right + offset);
    if (difference !== 0) return difference;
  }
  return 0;
}
