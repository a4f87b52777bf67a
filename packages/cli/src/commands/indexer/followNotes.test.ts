import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Output } from "../../output/output.ts";
import { Scrubber } from "../../output/scrubber.ts";
import { followNotes } from "./followNotes.ts";

type Notes = ReturnType<typeof followNotes>;

/** Follows a chain of 6,000 blocks, 1,000 blocks with 5,000 changes every 20 s. */
function followBlocks(notes: Notes, pass: (ms: number) => void): void {
  for (let height = 1_000; height <= 6_000; height += 1_000) {
    notes({ type: "indexed", height, head: 6_000, changes: 5_000 });
    pass(20_000);
  }
  for (let height = 6_001; height <= 6_240; height += 1) {
    notes({ type: "indexed", height, head: height, changes: 30 });
    pass(1_000);
  }
}

/** Returns what is written about events while time passes. */
function follow(isTTY: boolean, events = followBlocks): string {
  let text = "";
  const stream = { isTTY, write: (more: string) => (text += more) };
  const { signal } = new AbortController();
  const io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: {}, cwd: "/", signal };
  let ms = 0;
  const notes = followNotes(new Output(io, { json: false, scrubber: new Scrubber() }), () => ms);
  events(notes, (more) => {
    ms += more;
  });
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

test("URIs that are read behind the blocks are counted: once a minute in a log, at each step on a terminal", () => {
  const [log, terminal] = [false, true].map((isTTY) =>
    follow(isTTY, (notes, pass) => {
      for (let pendingUris = 280_000; pendingUris >= 0; pendingUris -= 1_000) {
        notes({ type: "urisRead", pendingUris });
        pass(1_000);
      }
    }),
  );
  // After 60, 120, 180 and 240 s, and when all are read.
  const lines = log?.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines?.[0]).toContain("220,000");
  expect(lines?.at(-1)).toMatch(/\ball\b/);
  for (const count of ["280,000", "279,000", "1,000"]) expect(terminal).toContain(count);
});

test("a terminal shows every step in one line", () => {
  const text = follow(true);
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toMatch(/block 2,000 of 6,000.* 250 changes\/s.* 4,000 blocks behind.* 1 min left/);
  expect(text).toContain("block 6,240 of 6,240");
});
