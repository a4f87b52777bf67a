/** The decimal places of Move's `BigDecimal`. */
const places = 18;

/** The number 1 as {@link parseRatio} returns it. */
export const ratioOne = 10n ** BigInt(places);

/** Reads a decimal number as its multiple of 10^-18, such as `0.05`; undefined for other text or more decimal places. */
export function parseRatio(text: string): bigint | undefined {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(places, "0"));
}

/** `0.05` for 5 × 10^16, without zeros at the end. */
export function formatRatio(value: bigint): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
