import { expect, test } from "vitest";
import { vipnodeBuildNotes } from "./vipnodeBuildNotes.ts";

/** The lines of a build on a screen that is not a terminal. */
function notesOf(...progress: readonly (readonly [compiled: number, packages: number])[]): readonly string[] {
  const notes: string[] = [];
  const screen = { isTerminal: false, note: (text: string) => void notes.push(text), showTransient: () => undefined };
  const show = vipnodeBuildNotes(["move", "wasm"], screen);
  for (const [compiled, packages] of progress) show({ compiled, packages, current: "example.org/a" });
  return notes;
}

test("one line says what is built, then one each 200 packages", () => {
  expect(notesOf([1, 1_000], [199, 1_000], [200, 1_000], [399, 1_000])).toEqual([
    expect.stringMatching(/\bvipnode-move\b.*\bvipnode-wasm\b/) as string,
    expect.stringMatching(/\bvipnode-move\b.*\bvipnode-wasm {3}200\b.*\b1,000\b/) as string,
  ]);
});

test("one line says that modules are downloaded first", () => {
  expect(notesOf([0, 0], [0, 0], [1, 1_000])).toEqual([
    expect.stringMatching(/\bGo modules\b.*\bvipnode-move\b.*\bvipnode-wasm\b/) as string,
  ]);
});
