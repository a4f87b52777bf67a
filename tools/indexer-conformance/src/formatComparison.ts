import type { Comparison } from "./runRequests.ts";

/** Maximum characters of a body to show. */
const maxShown = 300;

/** Formats a table of groups, then every difference: request, expected, got. Contains no address of a server. */
export function formatComparison({ groups, differences }: Comparison): string {
  const totals = { agreed: 0, differing: 0 };
  for (const { agreed, differing } of groups.values()) {
    totals.agreed += agreed;
    totals.differing += differing;
  }
  const rows = [...groups, ["all", totals] as const];
  const width = Math.max(...rows.map(([group]) => group.length));
  const line = (group: string, agreed: string, differing: string) =>
    `${group.padEnd(width)}  ${agreed.padStart(7)}  ${differing.padStart(9)}`;
  return [
    line("requests", "agreed", "differing"),
    ...rows.map(([group, { agreed, differing }]) => line(group, String(agreed), String(differing))),
    ...differences.map(({ request, expected, got }) =>
      [
        "",
        `${request.group}: GET ${request.path}${request.query ? `?${shorten(request.query)}` : ""}`,
        `  expected: ${shorten(expected)}`,
        `  got:      ${got.status} ${got.contentType} ${shorten(got.body)}`,
      ].join("\n"),
    ),
  ].join("\n");
}

function shorten(text: string): string {
  const shown = text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length} characters)`;
  return shown.replaceAll("\n", String.raw`\n`);
}
