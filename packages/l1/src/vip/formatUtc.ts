/** `2026-11-21 06:06 UTC`. */
export function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
