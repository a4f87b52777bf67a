import type { ScenarioResult } from "./runConformance.ts";

/** Formats results as JUnit's XML, with a test case for each scenario; an excepted one is skipped, with what was seen. */
export function junitReport(results: readonly ScenarioResult[]): string {
  const failures = results.filter(({ verdict }) => verdict === "broken").length;
  const skipped = results.filter(({ verdict }) => verdict === "excepted").length;
  const cases = results.map(({ id, name, area, rules, verdict, seen, milliseconds }) => {
    const head = `    <testcase classname=${quoted(area)} name=${quoted(`${id} (${rules.join(", ")}): ${name}`)} time="${milliseconds / 1_000}"`;
    if (verdict === "kept") return `${head}/>`;
    const inner = verdict === "broken" ? `<failure message=${quoted(seen)}/>` : `<skipped message=${quoted(seen)}/>`;
    return `${head}>${inner}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="vipscore conform" tests="${results.length}" failures="${failures}" skipped="${skipped}">`,
    ...cases,
    "</testsuite></testsuites>",
    "",
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** An attribute's value, without the control characters that XML does not have. */
function quoted(text: string): string {
  const printable = text.replaceAll(/\p{Cc}/gu, " ");
  return `"${printable.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)}"`;
}
