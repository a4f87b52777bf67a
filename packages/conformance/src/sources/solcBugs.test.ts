import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oldestSolc, refuseKnownBugs } from "./solcBugs.ts";

const repository = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(repository, path), "utf8");

test.each<[string, boolean, RegExp[]]>([
  [
    "0.8.24",
    true,
    [/^UnsoundSpillInMutualRecursion\b.*\b0\.8\.36$/, /^SpillSlotCollisionAcrossMutualRecursion\b.*\b0\.8\.37$/],
  ],
  ["0.8.27", true, [/^Unsound/, /^SpillSlot/]],
  ["0.8.28", true, [/^TransientStorageClearingHelperCollision\b.*\b0\.8\.34$/, /^Unsound/, /^SpillSlot/]],
  ["0.8.30+commit.73712a01", true, [/^Transient/, /^Unsound/, /^SpillSlot/]],
  ["0.8.33", true, [/^Transient/, /^Unsound/, /^SpillSlot/]],
  ["0.8.34", true, [/^Unsound/, /^SpillSlot/]],
  ["0.8.36", true, [/^SpillSlot/]],
  ["0.8.9", true, [/^Unsound/, /^SpillSlot/]],
  ["0.8.30", false, [/^MemoryByteArrayElementDeleteClearsWholeWord\b.*\b0\.8\.37$/]],
])("solc %s with viaIR %s is refused, with each bug and the version that fixes it", (version, viaIR, bugs) => {
  expect(() => refuseKnownBugs(version, { viaIR })).toThrow(
    expect.objectContaining({
      code: "INPUT_INVALID",
      shortMessage: expect.stringContaining(`solc ${version} `),
      metaMessages: [...bugs.map((bug) => expect.stringMatching(bug)), expect.stringContaining(oldestSolc)],
    }),
  );
});

test.each([oldestSolc, `${oldestSolc}+commit.f401782d`, "0.8.38", "0.8.100", "0.9.0", "1.0.0"])(
  "solc %s is taken",
  (version) => {
    for (const settings of [{ viaIR: true }, { viaIR: false }, {}]) {
      expect(() => refuseKnownBugs(version, settings)).not.toThrow();
    }
  },
);

test("vipscore's own artifact comes from a compiler without a known bug", () => {
  const { compiler } = JSON.parse(read("packages/evm/artifacts/VipScore.json")) as {
    readonly compiler: { readonly version: string; readonly settings: Readonly<Record<string, unknown>> };
  };
  expect(() => refuseKnownBugs(compiler.version, compiler.settings)).not.toThrow();
  // An earlier one would be refused with these settings.
  expect(() => refuseKnownBugs("0.8.30", compiler.settings)).toThrow(
    expect.objectContaining({ code: "INPUT_INVALID" }),
  );
});

test("contracts, examples, docs, projects and packages name no compiler with a known bug", () => {
  // Interfaces have no code, so a contract of any version can call ours.
  const sources = readdirSync(join(repository, "contracts/evm/src")).filter((file) => !/^I[A-Z]/.test(file));
  const texts = [
    ...sources.map((file) => `contracts/evm/src/${file}`),
    ...["Arena", "CappedScores"].map((name) => `contracts/evm/examples/contracts/${name}.sol`),
    "contracts/evm/examples/test/Arena.t.sol",
    "contracts/evm/examples/hardhat.config.ts",
    "contracts/evm/examples/package.json",
    "contracts/evm/hardhat.config.ts",
    "packages/conformance/package.json",
    "tools/release/projects/contracts/foundry.toml",
    "docs/cli/conform.md",
    "docs/indexer.md",
  ].map((path) => [path, read(path)] as const);
  const named = texts.map(([path, text]) => {
    const versions = [
      ...text.matchAll(/(?:\bsolidity |\bsolc@|\bsolc"?(?: =|:) "|\bversion: ")[^\d\n]*(\d+\.\d+\.\d+)/g),
    ];
    return [path, ...versions.map(([, version]) => version)];
  });
  for (const [path, ...versions] of named) {
    expect({ path, versions: versions.length }).not.toEqual({ path, versions: 0 });
    for (const version of versions) expect(() => refuseKnownBugs(String(version), { viaIR: true })).not.toThrow();
  }
});
