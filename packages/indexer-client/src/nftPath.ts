/** Characters that a segment of a path may hold as they are (RFC 3986, section 3.3) although encodeURIComponent does not. */
const plainInPath = /%(24|2[6BC]|3[ABD]|40)/g;

/**
 * The path of an NFT route. Nothing is encoded without need: the server takes addresses only as they are.
 *
 * @throws RangeError for a part that is empty, `.` or `..`, which would name another route.
 */
export function nftPath(route: string, ...parts: readonly string[]): string {
  const encoded = parts.map((part) => {
    if (/^\.{0,2}$/.test(part)) throw new RangeError(`"${part}" cannot be in a path`);
    return encodeURIComponent(part).replace(plainInPath, decodeURIComponent);
  });
  return ["/indexer/nft/v1", route, ...encoded].join("/");
}
