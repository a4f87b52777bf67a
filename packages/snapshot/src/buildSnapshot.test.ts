import { sha3_256 } from "@noble/hashes/sha3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import {
  buildSnapshot,
  defaultRules,
  readStoredProof,
  verifyProof,
  type Sha3,
  type SnapshotLeaf,
  type SnapshotRow,
  type SnapshotRules,
  type VerifyProofOptions,
} from "./index.ts";

const seed = fuzzSeed();
const most = 2n ** 64n - 1n;

/** `count` accounts of 20 and 32 bytes, some without a score. */
function rowsOf(count: number, random = seededRandom(seed)): readonly SnapshotRow[] {
  return Array.from({ length: count }, (_, index) => {
    const unique = index.toString(16).padStart(8, "0");
    const rest = Array.from({ length: random.pick([32, 56]) }, () => random.below(16).toString(16)).join("");
    return { account: `0x${unique}${rest}`, score: random.below(5) === 0 ? 0n : BigInt(random.below(1_000_000)) };
  });
}

const sumOf = (rows: readonly SnapshotRow[]): bigint => rows.reduce((sum, { score }) => sum + score, 0n);

test("the vector of L1's own tests: a single leaf is the root, and its proof is empty", () => {
  const account = "0x19c9b6007d21a996737ea527f46b160b0a057c37";
  const root = "da8a26abe037981b46c77de776621601ea78ae2e9e4d095f4f6887d7b8fb4229";
  const stage = { bridgeId: 1n, stage: 1n, total: 1000n };
  const snapshot = buildSnapshot({ ...stage, rows: [{ account, score: 1000n }] });
  expect(snapshot).toMatchObject({ root, size: 1, ...stage });
  expect(snapshot.leafOf(account)).toEqual({ account, score: 1000n, proof: [] });
  expect(verifyProof({ ...stage, account, score: 1000n, proof: [], root })).toBe(true);
});

const sizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025];
const allRules: readonly SnapshotRules[] = (["omit", "include"] as const).flatMap((zeroRows) =>
  (["bytes", "rows"] as const).flatMap((leafOrder) =>
    (["promote", "duplicate"] as const).map((oddNode) => ({ zeroRows, leafOrder, oddNode })),
  ),
);

test.each(allRules)("the root is the second implementation's, and every proof verifies: %o", (rules) => {
  for (const size of sizes) {
    const rows = rowsOf(size);
    const stage = { bridgeId: 7n, stage: most, rows };
    const snapshot = buildSnapshot({ ...stage, total: sumOf(rows), rules });
    expect(snapshot.root, `${size} rows`).toBe(naiveRoot({ ...stage, ...rules }));
    const { root = "", total } = snapshot;
    const refused = [...snapshot].filter((leaf) => !verifyProof({ ...stage, ...leaf, total, root }));
    expect(refused).toEqual([]);
  }
});

test("each account has its own leaf, in whatever order the rows come", () => {
  const rows = rowsOf(300);
  const stage = { bridgeId: 7n, stage: 3n, total: sumOf(rows) };
  const snapshot = buildSnapshot({ ...stage, rows });
  const reversed = buildSnapshot({ ...stage, rows: rows.toReversed() });
  expect(reversed.root).toBe(snapshot.root);
  for (const { account, score } of rows) {
    const leaf = snapshot.leafOf(account.toUpperCase().replace("0X", "0x"));
    expect(reversed.leafOf(account)).toEqual(leaf);
    if (score === 0n) expect(leaf).toBeUndefined();
    else expect(leaf).toMatchObject({ account, score });
  }
  expect(snapshot.size).toBe(rows.filter(({ score }) => score > 0n).length);
  expect(snapshot.leafOf(`0x${"f".repeat(40)}`)).toBeUndefined();
  expect(snapshot.leafOf("init1")).toBeUndefined();
});

const address = fc.oneof(
  fc.uint8Array({ minLength: 20, maxLength: 20 }),
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
);
const row = fc.record({
  account: address.map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
  score: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(0n, most / 50n)),
});
const u64 = fc.bigInt(0n, most);
const stages = fc.record({
  bridgeId: u64,
  stage: u64,
  rows: fc.uniqueArray(row, { selector: ({ account }) => account.slice(2).padStart(64, "0"), maxLength: 40 }),
  choice: fc.nat(),
  bit: fc.nat({ max: 255 }),
  other: u64,
});

function flipBit(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, "hex");
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString("hex");
}

test("a proof verifies for its own leaf alone", () => {
  fc.assert(
    fc.property(stages, ({ bridgeId, stage, rows, choice, bit, other }) => {
      const total = sumOf(rows);
      const snapshot = buildSnapshot({ bridgeId, stage, rows, total });
      const { root } = snapshot;
      expect(root).toBe(naiveRoot({ bridgeId, stage, rows }));
      const leaves: readonly SnapshotLeaf[] = [...snapshot];
      if (root === undefined) return;
      const leaf = leaves[choice % leaves.length]!;
      const proved = { bridgeId, stage, total, root, ...leaf };
      expect(verifyProof(proved)).toBe(true);
      const changed: readonly Partial<VerifyProofOptions>[] = [
        ...rows.map(({ account }) => ({ account })),
        ...leaves.map(({ score }) => ({ score })),
        { account: `0x${flipBit(leaf.account.slice(2), bit % (4 * (leaf.account.length - 2)))}` },
        ...[leaf.score ^ (1n << BigInt(bit % 64)), other].map((score) => ({ score })),
        ...[stage ^ (1n << BigInt(bit % 64)), other].map((value) => ({ stage: value })),
        ...[bridgeId ^ (1n << BigInt(bit % 64)), other].map((value) => ({ bridgeId: value })),
        ...[total ^ (1n << BigInt(bit % 64)), other].map((value) => ({ total: value })),
        { root: flipBit(root, bit) },
        ...leaf.proof.map((hash, place) => ({ proof: leaf.proof.with(place, flipBit(hash, bit)) })),
        { proof: [...leaf.proof, root] },
        { proof: leaf.proof.slice(1) },
      ];
      for (const change of changed) {
        const isSame = JSON.stringify({ ...proved, ...change }, text) === JSON.stringify(proved, text);
        expect(verifyProof({ ...proved, ...change }), `changed ${JSON.stringify(change, text)}`).toBe(isSame);
      }
    }),
    { seed, numRuns: fuzzRuns(200) },
  );
});

const text = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);

test("refuses rows that cannot be used, each with its number", () => {
  const account = `0x${"ab".repeat(20)}`;
  const rows = [
    { account, score: 1n },
    { account: "0xabcd", score: 1n },
    { account: `0x${"ab".repeat(31)}`, score: 1n },
    { account: "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6", score: 1n },
    { account: `0x${"cd".repeat(20)}`, score: most + 1n },
    { account: `0x${"ef".repeat(20)}`, score: -1n },
    { account: `0x${"00".repeat(12)}${"AB".repeat(20)}`, score: 2n },
    { account: `0x${"12".repeat(20)}`, score: 0n },
    { account: `0x${"12".repeat(20)}`, score: 0n },
  ];
  const issues = [
    [2, "ADDRESS_LENGTH"],
    [3, "ADDRESS_LENGTH"],
    [4, "ADDRESS_INVALID"],
    [5, "SCORE_TOO_LARGE"],
    [6, "SCORE_NEGATIVE"],
    [7, "ADDRESS_DUPLICATE"],
    [9, "ADDRESS_DUPLICATE"],
  ].map(([number, reason]): unknown => expect.objectContaining({ row: number, reason }));
  expect(() => buildSnapshot({ bridgeId: 1n, stage: 1n, rows, total: 4n })).toThrowError(
    expect.objectContaining({ name: "InputError", code: "INPUT_INVALID", issues }) as Error,
  );
});

test("refuses a total that the rows do not add up to, and numbers beyond u64", () => {
  const rows = [{ account: `0x${"ab".repeat(20)}`, score: most }];
  const stage = { bridgeId: 1n, stage: 1n, rows, total: most };
  const refusal = expect.objectContaining({ code: "INPUT_INVALID" }) as Error;
  expect(buildSnapshot(stage).size).toBe(1);
  for (const change of [
    { total: most - 1n },
    { total: 0n },
    { total: most + 1n },
    { bridgeId: -1n },
    { stage: 2n ** 64n },
  ]) {
    expect(() => buildSnapshot({ ...stage, ...change })).toThrowError(refusal);
  }
  const more = [...rows, { account: `0x${"cd".repeat(20)}`, score: 1n }];
  expect(() => buildSnapshot({ ...stage, rows: more, total: 0n })).toThrowError(refusal);
});

test("a proof that is not one is refused rather than false", () => {
  const account = `0x${"ab".repeat(20)}`;
  const stage = { bridgeId: 1n, stage: 1n, total: 5n };
  const { root = "" } = buildSnapshot({ ...stage, rows: [{ account, score: 5n }] });
  const proved = { ...stage, account, score: 5n, proof: [], root };
  expect(verifyProof({ ...proved, root: root.toUpperCase() })).toBe(true);
  const wrong = [
    { root: "" },
    { root: `0x${root}` },
    { proof: ["ab"] },
    { account: "0x" },
    { score: -1n },
    { total: 2n ** 64n },
  ];
  for (const change of wrong) {
    expect(() => verifyProof({ ...proved, ...change })).toThrowError(
      expect.objectContaining({ code: "INPUT_INVALID" }) as Error,
    );
  }
});

test("the default rules are what the documentation says", () => {
  expect(defaultRules).toEqual({ zeroRows: "omit", leafOrder: "bytes", oddNode: "promote" });
});

test("another SHA3-256 hashes every leaf and node once, with the same root", () => {
  const rows = Array.from({ length: 33 }, (_, index) => ({
    account: `0x${(index + 1).toString(16).padStart(40, "0")}`,
    score: 1n,
  }));
  const stage = { bridgeId: 1n, stage: 2n, rows, total: 33n };
  let hashes = 0;
  const sha3: Sha3 = (data) => {
    hashes += 1;
    return sha3_256(data);
  };
  expect(buildSnapshot({ ...stage, sha3 }).root).toBe(buildSnapshot(stage).root);
  expect(hashes).toBe(33 + 32);
});

test("proofs from stored parts are those of the whole tree", async () => {
  for (const size of [...sizes, 128 * 128, 128 * 128 + 1]) {
    const rows = rowsOf(size);
    const stage = { bridgeId: 7n, stage: most, total: sumOf(rows) };
    const snapshot = buildSnapshot({ ...stage, rows });
    const parts = [...snapshot.parts()];
    expect(parts.reduce((bytes, { nodes }) => Math.max(bytes, nodes.length), 0)).toBeLessThanOrEqual(4096);
    const tree = {
      read: (level: number, part: number) =>
        Promise.resolve(parts.find((each) => each.level === level && each.part === part)?.nodes),
      findLeaf: (hash: Uint8Array) =>
        Promise.resolve(
          parts.findLast(({ level, nodes }) => level === 0 && Buffer.compare(nodes.subarray(0, 32), hash) <= 0),
        ),
    };
    const leaves = [...snapshot];
    for (const { proof, ...leaf } of leaves.filter((_, at) => size < 2000 || at % 97 === 0 || at + 2 > size))
      expect((await readStoredProof(tree, { ...stage, ...leaf }))?.proof).toEqual(proof);
    const [first] = leaves;
    if (first !== undefined)
      expect(await readStoredProof(tree, { ...stage, ...first, score: first.score + 1n })).toBeUndefined();
  }
});
