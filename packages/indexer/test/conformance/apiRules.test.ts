import { describe, expect, test } from "vitest";
import { allowedAnswers, nftRoot } from "./apiRules.ts";
import { findDifference } from "./matchAnswer.ts";
import { recordedExchanges } from "./recordedExchanges.ts";

describe("the rules agree with every answer of a real indexer", () => {
  test.each(recordedExchanges)("$note", ({ data, request, answer }) => {
    expect(findDifference(allowedAnswers(data, request), answer)).toBeUndefined();
  });

  test("all of them were checked", () => {
    expect(recordedExchanges).toHaveLength(17);
  });
});

describe("the rules disagree with every answer that was changed", () => {
  const changes: readonly (readonly [string, (body: string) => string])[] = [
    ["a row is missing", (body) => body.replace(/\{"collection_addr".*?\},"height":\d+,"timestamp":"[^"]*"\},?/, "")],
    ["another owner", (body) => body.replace(/"owner":"init1./, '"owner":"init1z')],
    ["another height", (body) => body.replace(/"height":\d/, '"height":9')],
    ["another total", (body) => body.replace(/"total":"\d/, '"total":"7')],
    ["a next key", (body) => body.replace('"next_key":null', '"next_key":"MQ=="')],
    ["no next key", (body) => body.replace(/"next_key":"[^"]*"/, '"next_key":null')],
    ["another previous key", (body) => body.replace(/"previous_key":"[^"]*"/, '"previous_key":"MA=="')],
    ["another text", (body) => body.replace(/^[^{]/, "?")],
    ["no JSON", (body) => body.replace(/^\{/, "{{")],
  ];

  test.each(changes)("%s", (_, change) => {
    const changed = recordedExchanges.filter(({ answer }) => change(answer.body) !== answer.body);
    // Nothing in the status constrains its digits, so changing one would go unnoticed.
    const judged = changed.filter(({ note }) => note !== "status");
    expect(judged.length).toBeGreaterThan(0);
    for (const { data, request, answer } of judged) {
      const body = change(answer.body);
      expect(findDifference(allowedAnswers(data, request), { ...answer, body })).toBeDefined();
    }
  });

  test("another status or content type", () => {
    for (const { data, request, answer } of recordedExchanges) {
      const allowed = allowedAnswers(data, request);
      const status = answer.status === 200 ? 400 : 200;
      expect(findDifference(allowed, { ...answer, status })).toBeDefined();
      expect(findDifference(allowed, { ...answer, contentType: "text/html" })).toBeDefined();
    }
  });
});

describe("spellings of an address", () => {
  const [rollup] = recordedExchanges;
  const statuses = (spelling: string, route: string) => {
    const path = `${nftRoot}${route}/${spelling}`;
    const allowed = rollup ? allowedAnswers(rollup.data, { path, query: "" }) : [];
    return allowed.map((one) => (one.kind === "text" ? one.status : one.kind === "page" ? one.ties.length : -1));
  };

  test.each([
    ["0xaaaa00000000000000000000000000000000aaaa", [3]],
    ["aaaa00000000000000000000000000000000AAAA", [3]],
    [`0x${"0".repeat(24)}aaaa00000000000000000000000000000000aaaa`, [3]],
    ["init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz", [3]],
    ["0Xaaaa00000000000000000000000000000000aaaa", [400]],
    ["%30xaaaa00000000000000000000000000000000aaaa", [400]],
    ["cosmos1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz", [400]],
    ["1aaaa00000000000000000000000000000000aaaa", [0]],
    ["f".repeat(65), [400]],
    [`0x0${"f".repeat(64)}`, [0, 400]],
  ])("%s", (spelling, expected) => {
    expect(statuses(spelling, "tokens/by_account")).toEqual(expected);
  });
});
