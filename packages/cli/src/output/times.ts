/** A time for people: `2026-11-24 10:06 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const units = [
  ["d", 86_400n],
  ["h", 3_600n],
  ["min", 60n],
  ["s", 1n],
] as const;

/** The two largest units of a number of seconds, the second one rounded down: `3 d 4 h`, `12 min`, `45 s`. */
export function formatDuration(seconds: bigint): string {
  let left = seconds;
  const largest = units.findIndex(([, size]) => seconds >= size);
  const parts: string[] = [];
  for (const [unit, size] of largest === -1 ? [] : units.slice(largest, largest + 2)) {
    const count = left / size;
    left %= size;
    // Seconds say nothing beside minutes.
    if (count > 0n && !(unit === "s" && parts.length > 0)) parts.push(`${count} ${unit}`);
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** The time from one moment to another, whichever is earlier, as {@link formatDuration} tells it. */
export function formatTimeBetween(one: Date, other: Date): string {
  return formatDuration(BigInt(Math.floor(Math.abs(one.getTime() - other.getTime()) / 1000)));
}
