import { group } from "@vipscore/core/values";

/** Formats a part of a whole in percent with two decimals, rounded down: `12.34 %`; `< 0.01 %` for less. */
export function percent(part: bigint, whole: bigint): string {
  const hundredths = whole === 0n ? 0n : (part * 10_000n) / whole;
  if (hundredths === 0n && part > 0n) return "< 0.01 %";
  return `${hundredths / 100n}.${`${hundredths % 100n}`.padStart(2, "0")} %`;
}

/** Formats a difference with its sign: `+1,200`, `−3`, `0`. */
export function difference(value: bigint): string {
  if (value === 0n) return "0";
  return value > 0n ? `+${group(value)}` : `−${group(-value)}`;
}

/** Shortens the bound of a range: `500`, `2 k`, `10 M`. */
export function shortBound(value: bigint): string {
  const digits = `${value}`;
  const thousands = Math.floor((digits.length - 1) / 3);
  const unit = ["", " k", " M", " G", " T", " P", " E"][thousands] ?? "";
  return `${value / 1000n ** BigInt(thousands)}${unit}`;
}
