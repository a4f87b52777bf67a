import fc from "fast-check";
import { expect } from "vitest";
import { VipError } from "@vipscore/core/errors";
import { fuzzRuns } from "./fuzzRuns.ts";
import { fuzzSeed } from "./fuzzSeed.ts";

const deep = 20_000;
const pieces = [
  "[".repeat(deep),
  `${"[".repeat(deep)}${"]".repeat(deep)}`,
  '{"a":'.repeat(deep),
  `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`,
  `${"(".repeat(deep)}${")".repeat(deep)}`,
  "vector<".repeat(deep),
  "a.".repeat(deep),
  "9".repeat(400),
  "-1",
  "1e999",
  "18446744073709551616",
  "\0",
  "\u202e",
  "\ud800",
  '"__proto__":{},',
  "null",
  '"',
  "\\",
  "\n",
] as const;

/** Texts as a stranger may send them: valid ones with edits, any JSON, and any characters. */
function foreignTexts(valid: readonly string[]): fc.Arbitrary<string> {
  const longest = Math.max(...valid.map((text) => text.length));
  const edit = fc.record({
    at: fc.nat(longest),
    remove: fc.nat(8),
    insert: fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(...pieces), fc.constantFrom(...valid)),
  });
  const edited = fc
    .tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: 4 }))
    .map(([start, edits]) =>
      edits.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), start),
    );
  return fc.oneof({ weight: 6, arbitrary: edited }, fc.json(), fc.string({ unit: "binary", maxLength: 200 }));
}

/** The most that reading one text may add to the heap. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Reads random texts with a reader of foreign input: it may take or refuse each, never fail otherwise, and never take more than
 * 256 MiB. Returns the number of texts that it took.
 *
 * @param valid - Texts that the reader takes.
 * @param isRefusal - True for an error that the reader's callers expect. Default: for errors with a code.
 */
export async function fuzzReader(
  valid: readonly string[],
  read: (text: string) => unknown,
  isRefusal: (error: unknown) => boolean = (error) => VipError.isVipError(error),
): Promise<number> {
  for (const text of valid) await read(text);
  let taken = valid.length;
  const property = fc.asyncProperty(foreignTexts(valid), async (text) => {
    const before = process.memoryUsage().heapUsed;
    try {
      await read(text);
      taken += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(mostBytes);
  });
  await fc.assert(property, { seed: fuzzSeed(), numRuns: fuzzRuns(400) });
  return taken;
}
