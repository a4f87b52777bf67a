import { spawn } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { script, stopScripts, type ScriptedAnswer, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { publishOrder } from "../src/publishOrder.ts";

const source = join(import.meta.dirname, "../src");
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "vipscore-release-"));
  await writePackage("a", { dependencies: { "@example/b": "1.2.3" } });
  await writePackage("b", {});
  await writePackage("local", { private: true, version: "0.0.0" });
});
afterEach(async () => {
  await stopScripts();
  await rm(root, { recursive: true });
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

it("packs what a tag names, with the repository and an SBOM, and publishes it in order", async () => {
  const { url, requests } = await script(registryWith());
  const packed = await runStep("packRelease.ts", url, tag);
  expect(packed.output).toMatch(/^[0-9a-f]{64}  @example\/b@1\.2\.3$/m);
  expect(packed.status).toBe(0);
  const list = JSON.parse(await release("packages.json")) as readonly { readonly name: string }[];
  expect(list.map(({ name }) => name)).toEqual(["@example/b", "@example/a"]);
  const sbom = JSON.parse(await release("sbom.cdx.json")) as {
    readonly components: readonly { readonly purl: string }[];
  };
  expect(sbom.components.map(({ purl }) => purl.split("?")[0])).toEqual([
    "pkg:npm/%40example/a@1.2.3",
    "pkg:npm/%40example/b@1.2.3",
  ]);

  const published = await runStep("publishRelease.ts", url);
  expect(published).toMatchObject({
    status: 0,
    output: expect.stringContaining("@example/a@1.2.3: published") as string,
  });
  const puts = requests.filter(({ method }) => method === "PUT");
  expect(puts.map(({ path }) => path.toLowerCase())).toEqual([pathOf("b"), pathOf("a")]);
  expect(puts[0]?.body).toContain("git+https://github.com/example/scores.git");
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
  expect(output).toContain("example-a-1.2.3.tgz is not the file that was packed");
  expect(status).toBe(1);
  expect(requests.filter(({ method }) => method === "PUT")).toEqual([]);
});

it("refuses a tag of another version", async () => {
  const { url } = await script(registryWith());
  const { status, output } = await runStep("packRelease.ts", url, { ...tag, GITHUB_REF_NAME: "v1.3.0" });
  expect(output).toContain("the tag is v1.3.0, but the workspace holds @example/a@1.2.3, @example/b@1.2.3");
  expect(status).toBe(1);
});

it("refuses packages that depend on each other", () => {
  const manifest = (
    name: string,
    other: string,
  ): { readonly manifest: Parameters<typeof publishOrder>[0][0]["manifest"] } => ({
    manifest: { name, version: "1.0.0", dependencies: { [other]: "1.0.0" } },
  });
  expect(() => publishOrder([manifest("a", "b"), manifest("b", "a")])).toThrow("packages depend on each other: a, b");
});
