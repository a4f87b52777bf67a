import { join } from "node:path";
import { expect, it, test } from "vitest";
import { listNpmCommands, listNpxCommands, npmCommandFaults, npxPackageFaults } from "./npmCommands.ts";

const root = join(import.meta.dirname, "../../../..");

it("every command of npm in the documentation names what exists", () => {
  const commands = listNpmCommands(root);
  const lines = commands.map(({ line }) => line);
  expect(lines).toEqual(
    expect.arrayContaining([
      "npx -y -p node@22 npm run demo",
      "npx -y -p node@22 npm test",
      "npm install @vipscore/policy",
      "npx @vipscore/demo --json",
      "npx nx artifacts @vipscore/move",
      "npm run artifacts -w @vipscore/wasm",
    ]),
  );
  // Behind a block of TypeScript.
  expect(commands).toContainEqual({ place: "README.md", line: "npx -y -p node@22 npm test" });
  expect(npmCommandFaults(commands, root)).toEqual([]);
});

test.each([
  ["npm run dmo", ". has no dmo"],
  ["npx -y -p node@22 npm run dmo", ". has no dmo"],
  ["npx nx test-nodes @vipscore/move", "packages/move has no test-nodes"],
  ["npm run -w tools/chex lint", "no such package"],
  ["npm ci --omit=dev -w @vipscore/dmo", "no such package"],
  ["npm run -w tools/checks lnt", "tools/checks has no lnt"],
  ["npm install @vipscore/polcy", "no such package @vipscore/polcy"],
  ["npm install @vipscore/testkit", "no such package @vipscore/testkit"],
  ["npx @vipscore/core", "no such package @vipscore/core"],
  ["npx nx artefacts @vipscore/move", "packages/move has no artefacts"],
])("finds the fault of %s", (line, fault) => {
  expect(npmCommandFaults([{ place: "docs/a.md", line }], root)).toEqual([`docs/a.md  ${line}: ${fault}`]);
});

it("a project that `vipscore new` copies has scripts of its own", () => {
  const place = "contracts/move/arena/README.md";
  const faults = npmCommandFaults([{ place, line: "npm run deploy:rollup" }], root);
  expect(faults).toEqual([expect.stringMatching(/: contracts\/move\/arena\b.*\bdeploy:rollup$/)]);
});

it("every npx command in documentation, messages, posts and pages names a package of ours", () => {
  const commands = listNpxCommands(root);
  const places = new Set(commands.map(({ place }) => place));
  for (const place of ["README.md", "docs/performance.md", "packages/cli/src/commands/proposal.ts"])
    expect(places).toContain(place);
  expect(npxPackageFaults(commands, root)).toEqual([]);
});

test.each([
  ["npx vipscore export --stage 1", "vipscore"],
  ["npx -y vipscore", "vipscore"],
  ["npx -p @vipscore/cli -p vipscore vipscore", "vipscore"],
  ["npx @vipscore/polcy@0.1.0", "@vipscore/polcy@0.1.0"],
])("finds the foreign package of %s", (line, named) => {
  const faults = npxPackageFaults([{ place: "a.ts", line }], root);
  expect(faults).toEqual([`a.ts  ${line}: ${named} is not a package of ours`]);
});
