import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allFeatures } from "@vipscore/core/engine";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { isCodeOf, readEvmArtifact, vipScoreArtifact } from "./evmArtifact.ts";

const folder = temporaryFolder();

interface Item {
  readonly type: string;
  readonly inputs?: readonly object[];
}
const ours = JSON.parse(readFileSync(new URL("../artifacts/VipScore.json", import.meta.url), "utf8")) as {
  readonly abi: readonly Item[];
  readonly bytecode: string;
  readonly deployedBytecode: string;
};

/** Writes an artifact like ours with some fields changed, and returns its path. */
function artifact(changed: object): string {
  return file(JSON.stringify({ ...ours, ...changed }));
}

function file(text: string): string {
  const path = join(folder, "artifact.json");
  writeFileSync(path, text);
  return path;
}

test("the artifact of this package has every feature", async () => {
  expect(await readEvmArtifact(artifact({}))).toEqual(vipScoreArtifact);
  expect(vipScoreArtifact.features).toEqual(allFeatures);
});

test("an artifact of Foundry is read like one of Hardhat", async () => {
  const places = { "7": [{ start: 3, length: 32 }], "9": [{ start: 99, length: 32 }] };
  const path = artifact({
    bytecode: { object: ours.bytecode, linkReferences: {} },
    deployedBytecode: { object: ours.deployedBytecode, immutableReferences: places },
  });
  expect(await readEvmArtifact(path)).toMatchObject({
    bytecode: ours.bytecode,
    immutables: [
      { start: 3, length: 32 },
      { start: 99, length: 32 },
    ],
    features: allFeatures,
  });
});

test("deployed code is recognized whatever its constructor wrote into it", () => {
  const immutables = [{ start: 1, length: 2 }];
  const made = { ...vipScoreArtifact, bytecode: "0x99010000aabb", immutables } as const;
  expect(isCodeOf(made, "0x01ffffaabb")).toBe(true);
  expect(isCodeOf(made, "0x01ffffaabc")).toBe(false);
});

const without = (name: string) => ours.bytecode.replaceAll(name, "00000000");
const constructor = (...types: readonly string[]) => [
  ...ours.abi.filter(({ type }) => type !== "constructor"),
  { type: "constructor", inputs: types.map((type) => ({ type, name: "" })) },
];

test.each<[string, () => string, RegExp]>([
  ["no JSON", () => file("contract C {}"), /artifact\.json/],
  ["a list", () => file("[]"), /artifact\.json/],
  ["JSON of something else", () => file('{"name":"x"}'), /artifact\.json/],
  ["an interface, which has no code", () => artifact({ bytecode: "0x", deployedBytecode: "0x" }), /artifact\.json/],
  ["code with an open link", () => artifact({ bytecode: `${ours.bytecode}__$f00$__` }), /linked/],
  [
    "a constructor with another value",
    () => artifact({ abi: constructor("uint64", "address") }),
    /\(uint64, address\)/,
  ],
  [
    "an immutable variable outside of its code",
    () => artifact({ immutableReferences: { "7": [{ start: 0, length: 1e12 }] } }),
    /immutableReferences/,
  ],
  ["a constructor without a stage", () => artifact({ abi: constructor() }), /\(uint64\)/],
  // The selectors of increaseScore and stages.
  [
    "two missing functions",
    () => artifact({ bytecode: without("dab73a86").replaceAll("977e9404", "") }),
    /increaseScore, stages/,
  ],
])("%s is refused", async (_, write, named) => {
  await expect(readEvmArtifact(write())).rejects.toMatchObject({
    code: "INPUT_INVALID",
    shortMessage: expect.stringMatching(named) as string,
  });
});

test("a file that does not exist is reported", async () => {
  await expect(readEvmArtifact(join(folder, "none.json"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  await expect(readEvmArtifact("/dev/zero")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});

test("a feature is all of its functions", async () => {
  // The selectors of finalizeStageChecked, idsOf and setFinalizer.
  for (const [selector, feature] of [
    ["2c8924cd", "checkedFinalize"],
    ["13d904f5", "packed"],
    ["6d0005f2", "roles"],
  ] as const) {
    const { features } = await readEvmArtifact(artifact({ bytecode: without(selector) }));
    expect(features).toEqual({ ...allFeatures, [feature]: false });
  }
});
