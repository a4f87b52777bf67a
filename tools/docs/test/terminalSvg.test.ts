import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTerminalScreen } from "../src/terminalScreen.ts";
import { drawTerminalSvg } from "../src/terminalSvg.ts";

const escape = "\u001b";

describe("readTerminalScreen", () => {
  it("applies styles", () => {
    expect(readTerminalScreen(`${escape}[1mbold${escape}[22m plain ${escape}[32mgreen${escape}[39m\n`)).toEqual([
      [
        { text: "bold", styles: [1] },
        { text: " plain ", styles: [] },
        { text: "green", styles: [32] },
      ],
    ]);
  });

  it("shows a redrawn line once, in its last state", () => {
    const output = `\r${escape}[2Ksending 1/2\r${escape}[2Ksending 2/2\r${escape}[2Kdone\n\nend`;
    expect(readTerminalScreen(output).map((line) => line.map(({ text }) => text).join(""))).toEqual([
      "done",
      "",
      "end",
    ]);
  });

  it("rejects a sequence that it would draw wrong", () => {
    expect(() => readTerminalScreen(`${escape}[2Jcleared`)).toThrow("[2J");
  });
});

describe("drawTerminalSvg", () => {
  const options = { columns: 20, title: "title", label: 'a "label"' };

  it("places each piece at its column and escapes it", () => {
    const svg = drawTerminalSvg(`a <b>  ${escape}[31mc & d${escape}[39m\n`, options);
    expect(svg).toMatch(/<text x="20" [^>]*textLength="42"[^>]*>a &lt;b><\/text>/);
    expect(svg).toMatch(/<text x="78.8" [^>]*fill="#ff7b72">c &amp; d<\/text>/);
    expect(svg).toContain('aria-label="a &quot;label&quot;"');
  });

  it("draws a bar as rectangles", () => {
    expect(drawTerminalSvg("██░\n", options).match(/<rect /g)).toHaveLength(3);
  });

  it("rejects a line that is wider than the terminal", () => {
    expect(() => drawTerminalSvg(`${"x".repeat(21)}\n`, options)).toThrow("21 characters");
  });
});

it("docs/push.svg shows a push that was verified", () => {
  const svg = readFileSync(new URL("../../../docs/push.svg", import.meta.url), "utf8");
  expect(svg).toContain("$</text>");
  expect(svg).toContain("verified</text>");
  // The push, and the same push again.
  expect(svg.match(/>vipscore push scores\.csv --stage 1</g)).toHaveLength(2);
});
