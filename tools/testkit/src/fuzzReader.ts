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

const bytesOfMebibyte = 1024 * 1024;

/** The most that reading one text may add to the heap, or to the highest memory of the process so far. */
const mostMebibytes = 256;
/** The most processor time that reading one text may take; unlike the time of day it does not depend on other processes. */
const mostCpuMs = 10_000;

/**
 * Reads random texts with a reader of foreign input: it may take or refuse each, never fail otherwise, and never take more than
 * 256 MiB or ten seconds. Prints the costs of the dearest text, and returns the number of texts that it took.
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
  let cases = 0;
  const dearest = { cpuMs: 0, heapMebibytes: 0, peakMebibytes: 0 };
  const property = fc.asyncProperty(foreignTexts(valid), async (text) => {
    const before = costNow();
    try {
      await read(text);
      taken += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    const after = costNow();
    cases += 1;
    for (const name of costNames) dearest[name] = Math.max(dearest[name], after[name] - before[name]);
    expect(dearest.heapMebibytes).toBeLessThan(mostMebibytes);
    expect(dearest.peakMebibytes).toBeLessThan(mostMebibytes);
    expect(dearest.cpuMs).toBeLessThan(mostCpuMs);
  });
  await fc.assert(property, { seed: fuzzSeed(), numRuns: fuzzRuns(400) });
  const [cpu, heap, peak] = costNames.map((name) => Math.ceil(dearest[name]));
  console.log(
    `${cases} cases, ${taken} taken; at most ${cpu} ms, ${heap} MiB of heap, ${peak} MiB above the peak before`,
  );
  return taken;
}

const costNames = ["cpuMs", "heapMebibytes", "peakMebibytes"] as const;

function costNow(): Readonly<Record<(typeof costNames)[number], number>> {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    heapMebibytes: process.memoryUsage().heapUsed / bytesOfMebibyte,
    peakMebibytes: maxRSS / 1024,
  };
}
