let grouped: Intl.NumberFormat | undefined;

/** Formats a whole number for people: `4,812,345`. */
export function group(value: bigint | number): string {
  // Created on first use: it takes 30 ms, and most help texts need no number.
  grouped ??= new Intl.NumberFormat("en-US");
  return grouped.format(value);
}

/** Formats an amount of gas for people: exact up to six digits, then in millions, rounded up: `71.2 M`. */
export function formatGas(gas: bigint): string {
  if (gas < 1_000_000n) return group(gas);
  const tenths = (gas + 99_999n) / 100_000n;
  return `${group(tenths / 10n)}.${tenths % 10n} M`;
}

/**
 * Formats an amount of the fee token for people, with three significant digits: `0.0712 GAS`, `12.4 GAS`. Round a price up
 * and a balance down, so that the text never promises more than there is.
 */
export function formatTokens(
  amount: bigint,
  token: { readonly symbol: string; readonly decimals: number },
  rounding: "up" | "down",
): string {
  const digits = amount.toString().length;
  const whole = Math.max(0, digits - token.decimals);
  // Digits of the smallest unit that are not shown; whole coins always are.
  const dropped = Math.min(token.decimals, Math.max(0, digits - Math.max(3, whole)));
  const unit = 10n ** BigInt(dropped);
  const rounded = ((amount + (rounding === "up" ? unit - 1n : 0n)) / unit) * unit;
  const scale = 10n ** BigInt(token.decimals);
  const fraction = (rounded % scale).toString().padStart(token.decimals, "0").replace(/0+$/, "");
  const text = group(rounded / scale) + (fraction === "" ? "" : `.${fraction}`);
  return token.symbol === "" ? text : `${text} ${token.symbol}`;
}

/** Shortens a sha256 in hex for people: `3f2a…9c`. */
export function shortDigest(digest: string): string {
  return `${digest.slice(0, 4)}…${digest.slice(-2)}`;
}

/** Shortens an address for people: `0x1F00…d0E2`. */
export function shortAddress(address: string): string {
  return address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** `1 row`, `2 rows`. */
export function count(value: bigint | number, one: string, many = `${one}s`): string {
  return `${group(value)} ${value === 1 || value === 1n ? one : many}`;
}

/**
 * Reads a time in UTC, such as `2026-11-21T06:06:15.640Z`, truncated to milliseconds; undefined for any other text. JavaScript alone takes
 * 30 February for 2 March (datejs PR 214).
 */
export function parseTime(text: string): Date | undefined {
  const [, seconds] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  const time = new Date(text);
  return seconds !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(seconds)
    ? time
    : undefined;
}

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
    const whole = left / size;
    left %= size;
    // Seconds add nothing to minutes.
    if (whole > 0n && !(unit === "s" && parts.length > 0)) parts.push(`${whole} ${unit}`);
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** Formats the time between two moments, in either order, as {@link formatDuration} does. */
export function formatTimeBetween(one: Date, other: Date): string {
  return formatDuration(BigInt(Math.floor(Math.abs(one.getTime() - other.getTime()) / 1000)));
}
