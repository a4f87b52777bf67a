import { expect, it } from "vitest";
import { isKnown, KeptAnswers } from "./keptAnswers.ts";

/** Answers of data whose version the test sets. */
function keep(maxBytes?: number) {
  const state = { version: 1, kept: 0 };
  const computed: string[] = [];
  const readVersion = async (): Promise<number> => state.version;
  const answers = new KeptAnswers({ readVersion, onKept: () => (state.kept += 1), maxBytes });
  const ask = async (url: string, compute = async (): Promise<string | undefined> => url) => {
    const answer = await answers.get(url, () => {
      computed.push(url);
      return compute();
    });
    return answer && Buffer.from(answer.body).toString();
  };
  return { state, computed, answers, ask };
}

it("computes an answer once for each version", async () => {
  const { state, computed, answers, ask } = keep();
  expect([await ask("/a"), await ask("/a"), await ask("/b")]).toEqual(["/a", "/a", "/b"]);
  expect(computed).toEqual(["/a", "/b"]);
  expect(await answers.find("/a")).toMatchObject({ etag: expect.stringMatching(/^"[\w-]+"$/) });
  expect(state.kept).toBe(2);
  state.version = 2;
  expect(answers.has("/a")).toBe(true);
  expect(await answers.find("/a")).toBeUndefined();
  await Promise.all([ask("/a"), ask("/a"), ask("/a")]);
  expect(computed).toEqual(["/a", "/b", "/a"]);
});

it("reads the version after each request has arrived, once for those that arrive during the reading before", async () => {
  let readings = 0;
  let finish: (version: number) => void = () => undefined;
  const readVersion = async () => {
    readings += 1;
    return readings === 1 ? new Promise<number>((resolve) => (finish = resolve)) : readings;
  };
  const answers = new KeptAnswers({ readVersion, onKept: () => undefined });
  const ask = async (text: string) => {
    const answer = await answers.get("/", async () => text);
    return Buffer.from(answer?.body ?? []).toString();
  };
  const early = [ask("old"), ask("old")];
  await expect.poll(() => readings).toBe(1);
  const late = [ask("new"), ask("new"), ask("new")];
  finish(1);
  expect(await Promise.all([...early, ...late])).toEqual(["old", "old", "new", "new", "new"]);
  expect(readings).toBe(2);
});

it("shares and keeps no rows that were read before the version changed", async () => {
  const { state, ask } = keep();
  let finish: (text: string) => void = () => undefined;
  const slow = ask("/", () => new Promise((resolve) => (finish = resolve)));
  await ask("/other");
  state.version = 2;
  const next = ask("/", async () => "new");
  await ask("/other");
  finish("old");
  expect([await slow, await next]).toEqual(["old", "new"]);
  // What was finished last is of the version before.
  expect(await ask("/", async () => "newer")).toBe("newer");
});

it("keeps neither errors nor missing answers, and continues after them", async () => {
  const { state, computed, ask } = keep();
  const fail = async () => Promise.reject(new Error("away"));
  expect(await Promise.allSettled([ask("/", fail), ask("/", fail)])).toMatchObject([
    { reason: { message: "away" } },
    { reason: { message: "away" } },
  ]);
  expect(await ask("/", async () => undefined)).toBeUndefined();
  expect(await ask("/")).toBe("/");
  expect([state.kept, computed]).toEqual([0, ["/", "/", "/"]]);

  let isAway = true;
  const readVersion = async () => (isAway ? Promise.reject(new Error("away")) : 1);
  const answers = new KeptAnswers({ readVersion, onKept: () => undefined });
  await expect(answers.find("/")).rejects.toThrow("away");
  isAway = false;
  expect(await answers.find("/")).toBeUndefined();
});

it("drops the least recently used answers above its bytes, and keeps none above a sixteenth of them", async () => {
  const { state, computed, answers, ask } = keep(32_000);
  const thousand = async () => "ü".repeat(500);
  const urls = Array.from({ length: 21 }, (_, index) => `/${index}`);
  // Each takes 1,000 bytes, its URL and 512; in each version they replace those of the one before.
  for (state.version = 1; state.version <= 3; state.version += 1) {
    for (const url of urls) await ask(url, thousand);
    expect(urls.every((url) => answers.has(url))).toBe(true);
  }
  state.version = 3;
  await ask("/0");
  await ask("/21", thousand);
  expect(urls.filter((url) => !answers.has(url))).toEqual(["/1"]);
  expect(computed).toHaveLength(3 * urls.length + 1);
  await ask("/large", async () => "x".repeat(1_500));
  expect(answers.has("/large")).toBe(false);
  expect(answers.has("/2")).toBe(true);
});

it.each([
  [undefined, false],
  ["", false],
  ["*", true],
  [" * ", true],
  ['"one"', true],
  ['W/"one"', true],
  ['"two", W/"one"', true],
  ['"two","one"', true],
  ['"two", "on"', false],
  ["one", false],
  ['"*"', false],
])("If-None-Match: %s names an answer: %s", (header, known) => {
  expect(isKnown(header, { etag: '"one"', body: new Uint8Array(), isFinal: false })).toBe(known);
});
