/**
 * Returns the query that every page of a listing has.
 *
 * @throws RangeError for an empty filter, which the server would ignore.
 */
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
