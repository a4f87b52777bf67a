/** Characters that are allowed in a path segment (RFC 3986, section 3.3) but that encodeURIComponent encodes. */
const plainInPath = /%(24|2[6BC]|3[ABD]|40)/g;

/**
 * Returns the path of an NFT route. Encodes only what is necessary: the server does not decode addresses.
 *
 * @throws RangeError for a part that is empty, `.` or `..`, which would be another route.
 */
export function nftPath(route: string, ...parts: readonly string[]): string {
  const path = `/indexer/nft/v1/${route}`;
  const encoded = parts.map((part) => {
    if (/^\.{0,2}$/.test(part)) throw new RangeError(`"${part}" cannot be in ${path}`);
    return encodeURIComponent(part).replace(plainInPath, decodeURIComponent);
  });
  return [path, ...encoded].join("/");
}

/** The query that every page of a listing has. @throws RangeError for an empty filter, which the server would ignore. */
export function pinnedQuery(
  reverse = true,
  filters: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string>> {
  const query: Record<string, string> = { "pagination.reverse": String(reverse) };
  for (const [name, value] of Object.entries(filters)) {
    if (value === "") throw new RangeError(`${name} must not be empty`);
    if (value !== undefined) query[name] = value;
  }
  return query;
}
