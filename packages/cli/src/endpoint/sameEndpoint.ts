/** True if two texts name the same URL. */
export function sameEndpoint(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href);
}
