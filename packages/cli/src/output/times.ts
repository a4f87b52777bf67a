/** Formats a time for people: `2026-11-24 10:06 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const units = [
  ["d", 86_400n],
  ["h", 3_600n],
  ["min", 60n],
  ["s", 1n],
] as const;

/** Formats seconds in their two largest units, the second one rounded down: `3 d 4 h`, `12 min`, `45 s`. */
export function formatDuration(seconds: bigint): string {
  let left = seconds;
  const largest = units.findIndex(([, size]) => seconds >= size);
  const parts: string[] = [];
  for (const [unit, size] of largest === -1 ? [] : units.slice(largest, largest + 2)) {
    const count = left / size;
    left %= size;
    // Seconds add nothing to minutes.
    if (count > 0n && !(unit === "s" && parts.length > 0)) parts.push(`${count} ${unit}`);
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** Formats the time between two moments, in either order, as {@link formatDuration} does. */
export function formatTimeBetween(one: Date, other: Date): string {
  return formatDuration(BigInt(Math.floor(Math.abs(one.getTime() - other.getTime()) / 1000)));
}
