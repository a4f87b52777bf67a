import { execFile, spawn, spawnSync } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { exportCheckout } from "@vipscore/testkit/exportCheckout";
import { script, type ScriptedAnswer, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";

const source = join(await exportCheckout(join(import.meta.dirname, "../../..")), "tools/release/src");
let root: string;
beforeEach(async () => {
  root = temporaryFolder();
  await writeFile(join(root, "LICENSE"), "MIT License");
  await mkdir(join(root, "contracts"));
  await writePackage("a", {
    scripts: { test: "vitest" },
    devDependencies: { vitest: "1.0.0" },
    dependencies: { "@example/b": "1.2.3" },
  });
  await writePackage("b", {});
  await writePackage("local", { private: true, version: "0.0.0" });
});

async function writePackage(name: string, more: object): Promise<void> {
  const path = join(root, "packages", name);
  await mkdir(path, { recursive: true });
  const manifest = { name: `@example/${name}`, version: "1.2.3", license: "MIT", ...more };
  await writeFile(join(path, "package.json"), JSON.stringify(manifest));
}

interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a step in the workspace, with npm pointed at a server. */
async function runStep(step: string, url: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
  await writeFile(join(root, ".npmrc"), `registry=${url}/\n//${new URL(url).host}/:_authToken=test\n`);
  const child = spawn(process.execPath, [join(source, step), "release"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      HOME: root,
      npm_config_userconfig: join(root, ".npmrc"),
      npm_config_cache: join(root, "cache"),
      npm_config_update_notifier: "false",
      npm_config_fetch_retries: "0",
      ...env,
    },
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, output };
}

const tag = { GITHUB_REF_NAME: "v1.2.3", GITHUB_REPOSITORY: "example/scores" };
const pathOf = (name: string): string => `/@example%2f${name}`;

/** A registry that holds the packages of `names`, and those that were published since. */
function registryWith(
  ...names: readonly string[]
): (request: SeenRequest, earlier: readonly SeenRequest[]) => ScriptedAnswer {
  return ({ method, path }, earlier) => {
    if (method === "PUT") return { status: 201, body: {} };
    const isPublished =
      names.some((name) => path.toLowerCase() === pathOf(name)) ||
      earlier.some((each) => each.method === "PUT" && each.path === path);
    if (!isPublished) return { status: 404, body: { error: "not found" } };
    const name = path.slice(1).replace(/%2f/i, "/");
    const versions = { "1.2.3": { name, version: "1.2.3", dist: { tarball: "http://127.0.0.1/none" } } };
    return { body: { name, "dist-tags": { latest: "1.2.3" }, versions } };
  };
}

async function release(name: string): Promise<string> {
  return readFile(join(root, "release", name), "utf8");
}

async function listTarball(name: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("tar", ["--list", "--gzip", "--file", join(root, "release", name)]);
  return stdout.trim().split("\n").toSorted();
}

it("packs what a tag names, with the repository and an SBOM, and publishes it in order", async () => {
  const { url, requests } = await script(registryWith());
  const packed = await runStep("packRelease.ts", url, tag);
  expect(packed.output).toMatch(/^[0-9a-f]{64}  @example\/b@1\.2\.3$/m);
  expect(packed.status).toBe(0);
  const list = JSON.parse(await release("packages.json")) as readonly { readonly name: string }[];
  expect(list.map(({ name }) => name)).toEqual(["@example/b", "@example/a"]);
  const text = await release("sbom.cdx.json");
  const sbom = JSON.parse(text) as {
    readonly metadata: { readonly component: { readonly name: string } };
    readonly components: readonly { readonly purl: string; readonly externalReferences: readonly object[] }[];
  };
  expect(sbom.metadata.component.name).toBe("vipscore-release");
  expect(sbom.components.map(({ purl, externalReferences }) => [purl, externalReferences])).toEqual([
    ["pkg:npm/%40example/a@1.2.3", [{ type: "distribution", url: "example-a-1.2.3.tgz" }]],
    ["pkg:npm/%40example/b@1.2.3", [{ type: "distribution", url: "example-b-1.2.3.tgz" }]],
  ]);
  expect(text).not.toContain(tmpdir());

  const published = await runStep("publishRelease.ts", url);
  expect(published).toMatchObject({
    status: 0,
    output: expect.stringContaining("@example/a@1.2.3: published") as string,
  });
  const puts = requests.filter(({ method }) => method === "PUT");
  expect(puts.map(({ path }) => path.toLowerCase())).toEqual([pathOf("b"), pathOf("a")]);
  expect(puts[0]?.body).toContain("git+https://github.com/example/scores.git");
  const manifest = JSON.parse(await readFile(join(root, "packages/a/package.json"), "utf8")) as object;
  expect(Object.keys(manifest)).toEqual(["name", "version", "license", "dependencies", "repository"]);
  expect(await listTarball("example-a-1.2.3.tgz")).toEqual(["package/LICENSE", "package/package.json"]);
});

it.each(["packPrebuilt.ts", "packRelease.ts", "publishRelease.ts"])("%s starts where nothing is installed", (step) => {
  const { status, stderr } = spawnSync(process.execPath, [join(source, step)], {
    cwd: root,
    env: {},
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(new RegExp(`^Error: usage: .*\\b${step} `, "m")),
  });
});

it("packs the sources of contracts", async () => {
  const { url } = await script(registryWith());
  const folder = join(root, "contracts/scores");
  await mkdir(join(folder, "src"), { recursive: true });
  const manifest = { name: "@example/scores", version: "1.2.3", license: "MIT", files: ["src"] };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "src/Scores.sol"), "contract Scores {}");
  expect(await runStep("packRelease.ts", url, tag)).toMatchObject({ status: 0 });
  expect(await listTarball("example-scores-1.2.3.tgz")).toEqual([
    "package/LICENSE",
    "package/package.json",
    "package/src/Scores.sol",
  ]);
});

it("packs documents whose links lead somewhere", async () => {
  const { url } = await script(registryWith());
  const links = ["../../docs/guide.md#1-begin", "../b", "SPEC.md", "https://example.org/../x"];
  await writeFile(join(root, "packages/a/README.md"), links.map((link) => `[text](${link})`).join("\n"));
  expect(await runStep("packRelease.ts", url, tag)).toMatchObject({ status: 0 });
  const archive = ["--gzip", "--file", join(root, "release/example-a-1.2.3.tgz"), "package/README.md"];
  const { stdout } = await promisify(execFile)("tar", ["--extract", "--to-stdout", ...archive]);
  const blob = "https://github.com/example/scores/blob/v1.2.3";
  const expected = [`${blob}/docs/guide.md#1-begin`, `${blob}/packages/b`, "SPEC.md", "https://example.org/../x"];
  expect([...stdout.matchAll(/\((.*)\)/g)].map(([, link]) => link)).toEqual(expected);
});

it("leaves alone what a release that stopped halfway has published", async () => {
  const { url, requests } = await script(registryWith("b"));
  expect(await runStep("packRelease.ts", url, tag)).toMatchObject({ status: 0 });
  const { status, output } = await runStep("publishRelease.ts", url);
  expect(output).toContain("@example/b@1.2.3: already published");
  expect(status).toBe(0);
  expect(requests.filter(({ method }) => method === "PUT").map(({ path }) => path.toLowerCase())).toEqual([
    pathOf("a"),
  ]);
});

it("publishes nothing that is not what was packed", async () => {
  const { url, requests } = await script(registryWith());
  expect(await runStep("packRelease.ts", url, tag)).toMatchObject({ status: 0 });
  await appendFile(join(root, "release/example-a-1.2.3.tgz"), "x");
  const { status, output } = await runStep("publishRelease.ts", url);
  expect(output).toMatch(/^Error: .*\bexample-a-1\.2\.3\.tgz\b/m);
  expect(status).toBe(1);
  expect(requests.filter(({ method }) => method === "PUT")).toEqual([]);
});

it("refuses a tag of another version", async () => {
  const { url } = await script(registryWith());
  const { status, output } = await runStep("packRelease.ts", url, { ...tag, GITHUB_REF_NAME: "v1.3.0" });
  expect(output).toMatch(/^Error: .*\bv1\.3\.0\b.*@example\/a@1\.2\.3, @example\/b@1\.2\.3$/m);
  expect(status).toBe(1);
});

describe("with prebuilt chains", () => {
  const tarball = "vipscore-vipnode-linux-arm64-1.2.3.tgz";

  beforeEach(async () => {
    await mkdir(join(root, "release"));
    await writePackage("localnet", { name: "@vipscore/localnet", optionalDependencies: { "@example/b": "1.2.3" } });
  });

  /** Packs an empty prebuilt package, as packPrebuilt.ts would leave it. */
  async function writePrebuilt(): Promise<void> {
    const folder = join(root, "staged");
    await mkdir(folder);
    const manifest = { name: "@vipscore/vipnode-linux-arm64", version: "1.2.3", os: ["linux"], cpu: ["arm64"] };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    expect(spawnSync("npm", ["pack", "--pack-destination", "../release"], { cwd: folder }).status).toBe(0);
  }

  it("publishes them first, and makes them optional dependencies of localnet", async () => {
    await writePrebuilt();
    const { url } = await script(registryWith());
    const packed = await runStep("packRelease.ts", url, tag);
    expect(packed).toMatchObject({ status: 0 });
    const list = JSON.parse(await release("packages.json")) as readonly {
      readonly name: string;
      readonly file: string;
    }[];
    expect(list[0]).toMatchObject({ name: "@vipscore/vipnode-linux-arm64", version: "1.2.3", file: tarball });
    const manifest = await readFile(join(root, "packages/localnet/package.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({
      optionalDependencies: { "@example/b": "1.2.3", "@vipscore/vipnode-linux-arm64": "1.2.3" },
    });
    expect(await release("sbom.cdx.json")).toContain("pkg:npm/%40vipscore/vipnode-linux-arm64@1.2.3");
  });

  it("refuses what is not a prebuilt package of this version", async () => {
    await writeFile(join(root, "release/vipscore-vipnode-linux-x64-1.2.2.tgz"), "");
    const { url } = await script(registryWith());
    const { status, output } = await runStep("packRelease.ts", url, tag);
    expect(output).toMatch(/^Error: .*\bvipscore-vipnode-linux-x64-1\.2\.2\.tgz\b.*\b1\.2\.3$/m);
    expect(status).toBe(1);
  });

  it("refuses to bring movevm to those who install the command", async () => {
    await writePrebuilt();
    await writePackage("cli", { name: "@vipscore/cli", dependencies: { "@example/a": "1.2.3" } });
    await writePackage("a", { dependencies: { "@vipscore/localnet": "1.2.3" } });
    const { url } = await script(registryWith());
    const { status, output } = await runStep("packRelease.ts", url, tag);
    expect(output).toMatch(/^Error: @vipscore\/cli .*@vipscore\/localnet\b.*\bmovevm\b/m);
    expect(status).toBe(1);
  });
});

it("refuses packages that depend on each other", async () => {
  await writePackage("b", { dependencies: { "@example/a": "1.2.3" } });
  const { url } = await script(registryWith());
  const { status, output } = await runStep("packRelease.ts", url, tag);
  expect(output).toMatch(/^Error: .*: @example\/a, @example\/b$/m);
  expect(status).toBe(1);
});
