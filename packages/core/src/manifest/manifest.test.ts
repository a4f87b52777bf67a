import { describe, expect, test } from "vitest";
import { formatManifest, parseManifest, policyDigest, signedText, type ScoresManifest } from "../manifest.ts";
import { stage } from "../stage.ts";

const alice = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
const block = (height: number) => ({ height, hash: `0x${"ab".repeat(32)}`, time: 1_700_000_000 + height });
const files = [
  { name: "exclude.csv", bytes: 51, sha256: "1".repeat(64) },
  { name: "points.csv", bytes: 151, sha256: "2".repeat(64) },
  { name: "policy.sql", bytes: 74, sha256: "3".repeat(64) },
  { name: "policy.toml", bytes: 207, sha256: "4".repeat(64) },
];
const digest = policyDigest(new Map(files.map((file) => [file.name, file])));

/** A manifest with everything that it can have. */
const manifest: ScoresManifest = {
  stage: stage(2n ** 64n - 1n),
  policy: { name: "points", version: "1", sha256: digest, files },
  rollup: { vm: "evm", chainId: "rollup-1" },
  window: { first: block(5), last: block(9), from: "l1" },
  sources: [{ name: "points", kind: "reference", rows: 3, sha256: "5".repeat(64) }],
  versions: { vipscore: "0.1.0", duckdb: "v1.5.6" },
  scores: { file: "scores12.csv", accounts: 1, total: 6n, sha256: "6".repeat(64) },
  excluded: 1,
  chain: {
    contract: { vm: "evm", chainId: "rollup-1", address: alice },
    transactions: ["0x01", "0x02"],
    finalization: "0x03",
    snapshot: { root: "0f".repeat(32), bridgeId: 2n ** 64n - 1n },
  },
  signature: { signer: alice, eip191: `0x${"5e".repeat(65)}` },
};
const text = formatManifest(manifest);
const parsed = parseManifest(text, "m.json");

test("a manifest is read as it was written", () => {
  expect(parsed).toEqual(manifest);
});

test.each([
  ["total", text.replace('"total":', '"total": "1", "total":')],
  ["total, escaped", text.replace('"total":', String.raw`"t\u006ftal": "1", "total":`)],
  ["stage", text.replace(/\}\s*$/, ', "stage": "1" }')],
])("refuses %s twice", (_, twice) => {
  expect(twice).not.toBe(text);
  expect(() => parseManifest(twice, "m.json")).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
});

test("refuses text that is not JSON without quoting it", () => {
  const refused = (): unknown => parseManifest("pasted-secret", "m.json");
  expect(refused).toThrow(expect.objectContaining({ shortMessage: expect.stringMatching(/\bm\.json\b.*\bJSON\b/) }));
  expect(refused).not.toThrow(expect.objectContaining({ cause: expect.anything() as unknown }));
});

test("the digest of a policy is that of sha256sum over its files", () => {
  expect(digest).toBe("24a443e4a2e2842da8a12d4d3bb59a07aa9780e87f4336d03fce51048fc2abc3");
});

test("the text is canonical", () => {
  expect(formatManifest(parsed)).toBe(text);
  const shuffled = JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  ) as object;
  expect(formatManifest(parseManifest(JSON.stringify(shuffled), "m.json"))).toBe(text);
  expect(text.replace(/[0-9a-f]{64}/g, "#")).toMatchInlineSnapshot(`
    "{
      "format": "vipscore-scores/1",
      "stage": "18446744073709551615",
      "policy": {
        "name": "points",
        "version": "1",
        "sha256": "#",
        "files": [
          {
            "name": "exclude.csv",
            "bytes": 51,
            "sha256": "#"
          },
          {
            "name": "points.csv",
            "bytes": 151,
            "sha256": "#"
          },
          {
            "name": "policy.sql",
            "bytes": 74,
            "sha256": "#"
          },
          {
            "name": "policy.toml",
            "bytes": 207,
            "sha256": "#"
          }
        ]
      },
      "rollup": {
        "vm": "evm",
        "chainId": "rollup-1"
      },
      "window": {
        "first": {
          "height": 5,
          "hash": "0x#",
          "time": 1700000005
        },
        "last": {
          "height": 9,
          "hash": "0x#",
          "time": 1700000009
        },
        "from": "l1"
      },
      "sources": [
        {
          "name": "points",
          "kind": "reference",
          "rows": 3,
          "sha256": "#"
        }
      ],
      "versions": {
        "vipscore": "0.1.0",
        "duckdb": "v1.5.6"
      },
      "scores": {
        "file": "scores12.csv",
        "accounts": 1,
        "total": "6",
        "sha256": "#"
      },
      "excluded": 1,
      "chain": {
        "contract": {
          "vm": "evm",
          "chainId": "rollup-1",
          "address": "0x8cad25ec80a10522c258e2f59abf0006c9445d1b"
        },
        "transactions": [
          "0x01",
          "0x02"
        ],
        "finalization": "0x03",
        "root": "#",
        "bridgeId": "18446744073709551615"
      },
      "signature": {
        "signer": "0x8cad25ec80a10522c258e2f59abf0006c9445d1b",
        "eip191": "0x##5e"
      }
    }
    "
  `);
});

test("a signature covers what was there before a push", () => {
  const early = { ...parsed, chain: undefined, signature: undefined };
  expect(signedText(parsed)).toBe(formatManifest(early));
});

test("a manifest without a rollup and before a push", () => {
  const early: ScoresManifest = {
    ...parsed,
    rollup: { vm: undefined, chainId: "rollup-1" },
    window: undefined,
    chain: undefined,
    signature: undefined,
  };
  expect(parseManifest(formatManifest(early), "m.json")).toEqual(early);
  const contract = { vm: "move", chainId: "rollup-1", address: alice } as const;
  const unknown: ScoresManifest = {
    ...parsed,
    chain: { contract, transactions: [], finalization: null, snapshot: { root: null, bridgeId: 1n } },
  };
  expect(parseManifest(formatManifest(unknown), "m.json")).toEqual(unknown);
});

describe("a manifest is refused with the field:", () => {
  const problemOf = (changed: string): string => {
    try {
      parseManifest(changed, "m.json");
    } catch (error) {
      expect(error).toMatchObject({ code: "INPUT_INVALID" });
      return (error as { readonly shortMessage: string }).shortMessage;
    }
    return "none";
  };

  /** Paths of all fields, with the value of each replaced by `replace`, or left out for undefined. */
  function* changes(value: unknown, replace: unknown, path = ""): Generator<readonly [path: string, changed: unknown]> {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        for (const [inner, changed] of changes(item, replace, `${path}[${index + 1}]`)) {
          yield [inner, value.with(index, changed)];
        }
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        const place = path === "" ? name : `${path}.${name}`;
        yield [place, { ...value, [name]: replace }];
        for (const [inner, changed] of changes(item, replace, place)) yield [inner, { ...value, [name]: changed }];
      }
    }
  }

  const optional = new Set(["chain", "chain.finalization", "signature"]);

  test.each([...changes(JSON.parse(text), undefined)].filter(([path]) => !optional.has(path)))(
    "%s left out",
    (path, changed) => {
      expect(problemOf(JSON.stringify(changed))).toContain(`m.json: ${path} `);
    },
  );

  test.each([...changes(JSON.parse(text), -1.5)])("%s of another type", (path, changed) => {
    expect(problemOf(JSON.stringify(changed))).toContain(`m.json: ${path} `);
  });

  const value = JSON.parse(text) as { readonly policy: object; readonly scores: object };
  test.each([
    ["", "m.json "],
    ["[]", "m.json "],
    [JSON.stringify({ ...value, format: "vipscore-scores/2" }), "m.json: format "],
    [JSON.stringify({ ...value, stage: "0" }), "m.json: stage "],
    [JSON.stringify({ ...value, stage: `${2n ** 64n}` }), "m.json: stage "],
    [JSON.stringify({ ...value, color: "red" }), "m.json: color "],
    [JSON.stringify({ ...value, policy: { ...value.policy, x: 1 } }), "m.json: policy.x "],
    [JSON.stringify({ ...value, policy: { ...value.policy, name: "a\nb" } }), "m.json: policy.name "],
    [JSON.stringify({ ...value, policy: { ...value.policy, sha256: "0".repeat(64) } }), "m.json: policy.sha256 "],
    [text.replace(/"time": \d+/, '"time": 8640000000001'), "m.json: window.first.time "],
    ...["../scores.csv", "/etc/passwd", "..", "a\\b"].map((file) => [
      JSON.stringify({ ...value, scores: { ...value.scores, file } }),
      "m.json: scores.file ",
    ]),
  ])("%#", (changed, problem) => {
    expect(problemOf(changed ?? "")).toContain(problem);
  });
});
