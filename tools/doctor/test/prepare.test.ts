import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";

const sources = fileURLToPath(new URL("../src", import.meta.url));
const compileVipnode = new URL("../../../packages/localnet/src/vipnode/compileVipnode.ts", import.meta.url);
const vipnodePackage = new URL("../../vipnode/package.json", import.meta.url);

const lock = {
  "": { devDependencies: { tool: "1.0.0" } },
  "node_modules/tool": { version: "1.0.0", integrity: "sha512-tool" },
  "node_modules/runtime": { version: "2.0.0", integrity: "sha512-runtime" },
  "node_modules/@vipscore/demo": { resolved: "packages/demo", link: true },
  "packages/demo": { version: "0.1.0", dependencies: { runtime: "2.0.0" } },
};
const { "": _root, ...installed } = lock;

type Scripts = Readonly<Record<string, string>>;

interface Preparation {
  readonly status: unknown;
  readonly printed: string;
  /** The arguments of npm; undefined if it was not started. */
  readonly npm: string | undefined;
}

/** Prepares a checkout with this lock file, where npm and all other programs are shell scripts. */
async function prepare(job: string, packages: object | undefined, scripts?: Scripts): Promise<Preparation> {
  const root = temporaryFolder();
  await cp(sources, join(root, "tools/doctor/src"), { recursive: true });
  await writeFile(join(root, "package-lock.json"), JSON.stringify({ packages: lock }));
  await mkdir(join(root, "node_modules"));
  await mkdir(join(root, "tools/vipnode"));
  if (packages !== undefined)
    await writeFile(join(root, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
  await mkdir(join(root, "bin"));
  const programs = {
    go: "echo go version go1.23.6 linux/amd64",
    gcc: "echo gcc 12.2.0",
    cargo: "echo cargo 1.85.0",
    python3: "echo Python 3.8.20",
    make: "echo GNU Make 4.3",
    npm: 'echo "$@" > npm-arguments; exit 7',
    ...scripts,
  };
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(root, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const program = join(root, "tools/doctor/src/prepare.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, job], {
    env: { PATH: join(root, "bin") },
    encoding: "utf8",
  });
  const npm = await readFile(join(root, "npm-arguments"), "utf8").catch(() => undefined);
  return { status, printed: stdout + stderr, npm: npm?.trim() };
}

test("a checkout with everything is left as it is, and nothing is printed", async () => {
  expect(await prepare("test", installed)).toEqual({ status: 0, printed: "", npm: undefined });
});

test("nothing installed: npm installs it, and its exit status counts", async () => {
  const { status, printed, npm } = await prepare("test", undefined);
  expect({ status, npm }).toEqual({ status: 7, npm: "ci --no-audit --no-fund" });
  expect(printed).toContain(npm);
});

test.each([
  ["another version", { version: "1.0.1", integrity: "sha512-tool" }],
  ["other content", { version: "1.0.0", integrity: "sha512-other" }],
])("%s of a package is replaced", async (_, tool) => {
  const { npm } = await prepare("test", { ...installed, "node_modules/tool": tool });
  expect(npm).toBe("ci --no-audit --no-fund");
});

test("Go compiles the chains while npm installs, as the build will", async () => {
  const { npm } = await prepare("test", undefined, {
    go: 'test "$1" = version && echo go version go1.23.6 linux/amd64 || echo "$@" > ../../go-arguments',
    npm: `for i in ${"_ ".repeat(3000)}; do test -s go-arguments && break; /bin/sleep 0.01; done
read -r line < go-arguments; echo "$line" > npm-arguments`,
  });
  const [, quoted = ""] = /const flags = \["(.+)", "-ldflags/.exec(await readFile(compileVipnode, "utf8")) ?? [];
  const flags = quoted.replaceAll('", "', " ");
  // Go's cache has the compiled packages for other checkouts only without the path of this one.
  expect(flags).toContain("-trimpath");
  expect(npm).toBe(`list -export -deps ${flags} ./cmd/...`);
  const { nx } = JSON.parse(await readFile(vipnodePackage, "utf8")) as {
    nx: { targets: Record<string, { command: string }> };
  };
  const goCommands = Object.values(nx.targets).filter(({ command }) => /\bgo (test|vet)\b/.test(command));
  expect(goCommands.map(({ command }) => command.includes(` ${flags} `))).toEqual([true, true, true, true]);
});

test("the demo installs what it needs to run, and no development packages", async () => {
  expect(await prepare("demo", { "node_modules/runtime": lock["node_modules/runtime"] })).toMatchObject({
    status: 0,
    npm: undefined,
  });
  const { npm } = await prepare("demo", { "node_modules/tool": lock["node_modules/tool"] });
  expect(npm).toBe("ci --no-audit --no-fund --omit=dev --ignore-scripts -w packages/demo");
});

test("what npm cannot install is named before anything is installed", async () => {
  const { status, printed, npm } = await prepare("test", undefined, {
    go: "echo go version go1.22.9 linux/amd64",
  });
  expect({ status, npm }).toEqual({ status: 1, npm: undefined });
  expect(printed).toMatch(/^✗ Go +1\.22\.9/m);
});

test("an unknown job prints the usage", async () => {
  expect(await prepare("release", installed)).toMatchObject({ status: 2, npm: undefined });
});
