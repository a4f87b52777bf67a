import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Output } from "../output/output.ts";
import { Scrubber } from "../output/scrubber.ts";
import { followNotes } from "./followNotes.ts";

/** Follows a chain of 6,000 blocks, 1,000 blocks with 5,000 changes every 20 s; returns what it writes. */
function follow(isTTY: boolean): string {
  let text = "";
  const stream = { isTTY, write: (more: string) => (text += more) };
  const { signal } = new AbortController();
  const io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {}, cwd: "/", signal };
  let ms = 0;
  const notes = followNotes(new Output(io, { json: false, scrubber: new Scrubber() }), () => ms);
  for (let height = 1_000; height <= 6_000; height += 1_000) {
    notes({ type: "indexed", height, head: 6_000, changes: 5_000 });
    ms += 20_000;
  }
  for (let height = 6_001; height <= 6_240; height += 1) {
    notes({ type: "indexed", height, head: height, changes: 30 });
    ms += 1_000;
  }
  return text;
}

test("a log has one line a minute, and one when the index has caught up", () => {
  const lines = follow(false).trimEnd().split("\n");
  // After 60 s, at the head after 100 s, and after 120, 180, 240 and 300 s.
  expect(lines).toHaveLength(6);
  expect(lines[0]).toMatch(/block 4,000 of 6,000.* 250 changes\/s.* 2,000 blocks behind.* 40 s left/);
  expect(lines[1]).toContain("block 6,000 of 6,000");
  expect(lines.at(-1)).toMatch(/ 30 changes\/s$/);
});

test("a terminal shows every step in one line", () => {
  const text = follow(true);
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toMatch(/block 2,000 of 6,000.* 250 changes\/s.* 4,000 blocks behind.* 1 min left/);
  expect(text).toContain("block 6,240 of 6,240");
});
