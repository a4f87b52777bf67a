import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportCheckout } from "@vipscore/testkit/exportCheckout";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";

const doctor = join(await exportCheckout(join(import.meta.dirname, "../../..")), "tools/doctor/src/doctor.mjs");

/** The programs' answers on a machine that has everything. */
const complete = {
  go: "echo go version go1.23.6 linux/amd64",
  gcc: "echo gcc 12.2.0",
  cargo: "echo cargo 1.85.0",
  python3: "echo Python 3.8.20",
  make: "echo GNU Make 4.3",
  chromium: "echo Chromium",
  haproxy: "echo HAProxy version 2.6.12",
  "apt-get": "echo apt",
};

interface Answer {
  readonly status: unknown;
  readonly printed: string;
}

/** Runs the doctor with only these shell scripts on the PATH. */
async function runDoctor(scripts: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Answer> {
  const folder = temporaryFolder();
  await symlink("/bin/sh", join(folder, "sh"));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [doctor, ...args], { env: { PATH: folder } }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, printed: stdout + stderr }),
    );
  });
}

test("a machine that has everything: a line for each requirement, status 0", async () => {
  const { status, printed } = await runDoctor(complete);
  expect(status).toBe(0);
  expect(printed.match(/^✓ /gm)).toHaveLength(8);
  expect(printed).toMatch(/^✓ Go +1\.23\.6$/m);
});

test("everything missing is listed at once, with the version wanted and how to install it; status 1", async () => {
  const { status, printed } = await runDoctor({ "apt-get": "echo apt" });
  expect(status).toBe(1);
  expect(printed).toMatch(/^✗ Go .*\b1\.23\b/m);
  expect(printed).toMatch(/^✗ C compiler /m);
  expect(printed).toMatch(/^✗ cargo .*\b1\.85\b/m);
  if (process.platform === "linux") {
    expect(printed).toMatch(/^Go 1\.23\b.*\n {2}apt-get install -y golang-go/m);
    expect(printed).toContain("apt-get install -y gcc libc6-dev");
  }
});

test.each([
  ["Go 1.22", { go: "echo go version go1.22.9 linux/amd64" }, /^✗ Go +1\.22\.9\b.*\b1\.23\b/m],
  ["cargo 1.84", { cargo: "echo cargo 1.84.1" }, /^✗ cargo +1\.84\.1\b.*\b1\.85\b/m],
  ["Python 3.7", { python3: "echo Python 3.7.17" }, /^✗ Python +3\.7\.17\b.*\b3\.8\b/m],
  ["a cargo without a toolchain", { cargo: "exit 1" }, /^✗ cargo +(?!\d).*\b1\.85\b/m],
  ["a compiler without headers", { gcc: '[ "$1" = --version ] && echo gcc 12.2.0' }, /^✗ C compiler +gcc 12\.2\.0\b/m],
])("%s is not enough", async (_, scripts, line) => {
  const { status, printed } = await runDoctor({ ...complete, ...scripts });
  expect(status).toBe(1);
  expect(printed).toMatch(line);
});

test("npm test needs no browser", async () => {
  const { status, printed } = await runDoctor(complete, "test");
  expect(status).toBe(0);
  expect(printed.match(/^✓ /gm)).toHaveLength(6);
  expect(printed).not.toContain("browser");
});

test("the rehearsal of a release needs rustup too", async () => {
  expect((await runDoctor({ ...complete, rustup: "echo rustup 1.28.2" }, "release:rehearse")).status).toBe(0);
  const { status, printed } = await runDoctor(complete, "release:rehearse");
  expect(status).toBe(1);
  expect(printed.match(/^✗ /gm)).toHaveLength(1);
  expect(printed).toMatch(/^rustup\b.*\bWasm\b.*\n.*\brustup\b/m);
});

test("the demo works without Go, says what it leaves out, and needs no cargo, Python or browser", async () => {
  const { status, printed } = await runDoctor({ gcc: complete.gcc }, "demo");
  expect(status).toBe(0);
  expect(printed).toMatch(/^Go 1\.23\b.*\bMove\b.*\bWasm\b.*\bnpm run demo -- --vm evm\b/m);
  expect(printed).not.toMatch(/cargo|Python|make|browser/);
});

test("an unknown argument prints the usage", async () => {
  const { status, printed } = await runDoctor(complete, "release");
  expect(status).toBe(2);
  expect(printed).toContain("npm run doctor [test|test:all|demo|release:rehearse]");
});
