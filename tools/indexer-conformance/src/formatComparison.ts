import type { Comparison } from "./runRequests.ts";

/** Longest part of a body that is shown. */
const maxShown = 300;

/** A table of groups, then every difference: request, expected, got. No address of a server is in it. */
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
