import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { writeNodeFile } from "@vipscore/localnet/nodeFile";
import { script, stopScripts, type ScriptedServer, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { hidePaths } from "../src/hidePaths.ts";
import { largestChanges } from "../src/largestChanges.ts";

const root = join(import.meta.dirname, "../../..");
const program = join(import.meta.dirname, "../src/runAction.ts");
const summary = "summary.md";
let cwd: string;
let node: LocalNode;

interface Run {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program in the folder; the `vipscore` on its PATH is the source of this repository. */
async function run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const path = [cwd, process.env["PATH"]].join(delimiter);
  const child = spawn(file, args, { cwd, env: { PATH: path, HOME: cwd, ...env } });
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, output };
}

async function runAction(
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const entries = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value] as const);
  return run(process.execPath, [program], { ...Object.fromEntries(entries), ...env });
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "vipscore-action-"));
  node = await startHardhat();
  await writeNodeFile(cwd, node);
  const source = join(root, "packages/cli/src/bin.ts");
  await writeFile(
    join(cwd, "vipscore"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=@vipscore/source "${source}" "$@"\n`,
  );
  await chmod(join(cwd, "vipscore"), 0o755);
  await writeFile(join(cwd, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
  await writeFile(join(cwd, "scores.csv"), `address,score\n${address(1)},1200\n${address(2)},350\n`);
  const { status, output } = await run("vipscore", ["deploy", "--init-stage", "1"]);
  if (status !== 0) throw new Error(output);
});
afterEach(async () => {
  await stopScripts();
  await rm(join(cwd, summary), { force: true });
});
afterAll(async () => {
  await node.stop();
  await rm(cwd, { recursive: true, force: true });
});

function address(number: number): string {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

/** GitHub's comments on one pull request: those of others first, then those that were posted. */
async function startGitHub(before: readonly object[] = []): Promise<ScriptedServer> {
  return script(({ method, path }, earlier) => {
    if (method !== "GET") return { status: method === "POST" ? 201 : 200, body: {} };
    const posted = earlier.filter((each) => each.method === "POST").map(bodyOf);
    const written = posted.map((body, index) => ({ id: 900 + index, body, user: { type: "Bot" } }));
    return path === "/repos/example/scores/issues/7/comments" ? { body: [...before, ...written] } : { status: 404 };
  });
}

function bodyOf({ body }: SeenRequest): string {
  return (JSON.parse(body) as { readonly body: string }).body;
}

function onPull({ url }: ScriptedServer): Readonly<Record<string, string>> {
  return {
    GITHUB_EVENT_PATH: join(cwd, "event.json"),
    GITHUB_REPOSITORY: "example/scores",
    GITHUB_API_URL: url,
    GITHUB_STEP_SUMMARY: join(cwd, summary),
    ACTION_TOKEN: "a-token",
  };
}

const scores = { stage: "1", file: "scores.csv" };

it("comments the plan with its cost and largest changes, and updates its own comment only", async () => {
  const person = { id: 1, body: "<!-- vipscore plan: stage 1, 73636f7265732e637376 -->\nmine", user: { type: "User" } };
  const gitHub = await startGitHub([person]);
  const first = await runAction({ command: "plan", ...scores }, onPull(gitHub));
  expect(first).toMatchObject({ status: 0 });
  const post = gitHub.requests.find(({ method }) => method === "POST");
  if (post === undefined) throw new Error("no comment");
  expect(post.headers.authorization).toBe("Bearer a-token");
  expect(bodyOf(post)).toMatch(/add +2 .*\n.*gas +[\d,]+ +price +[\d.]+ GAS/);
  expect(bodyOf(post)).toContain(`| \`${address(1)}\` | 0 | 1200 | +1200 |\n| \`${address(2)}\` | 0 | 350 | +350 |`);
  expect(await readFile(join(cwd, summary), "utf8")).toBe(bodyOf(post));

  expect(await runAction({ command: "plan", ...scores }, onPull(gitHub))).toMatchObject({ status: 0 });
  const writes = gitHub.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
  expect(writes).toEqual([
    "POST /repos/example/scores/issues/7/comments",
    "PATCH /repos/example/scores/issues/comments/900",
  ]);
  expect(first.output).not.toContain("a-token");
});

it("comments why a push would be refused, with the status of the command", async () => {
  const gitHub = await startGitHub();
  await writeFile(join(cwd, "wrong.csv"), "address,score\n0x12,```5\n");
  const { status } = await runAction({ command: "plan", stage: "1", file: "wrong.csv" }, onPull(gitHub));
  expect(status).toBe(2);
  const post = gitHub.requests.find(({ method }) => method === "POST");
  if (post === undefined) throw new Error("no comment");
  expect(bodyOf(post)).toContain("the push would be refused");
});

it("plans without a comment when GitHub refuses it, as on a fork", async () => {
  const gitHub = await script(() => ({ status: 403, body: { message: "Resource not accessible" } }));
  const { status, output } = await runAction({ command: "plan", ...scores }, onPull(gitHub));
  expect(output).toContain("::warning::no comment: GitHub answered 403 to GET /repos/example/scores/issues/7/comments");
  expect(status).toBe(0);
  expect(await readFile(join(cwd, summary), "utf8")).toContain("plan of a push");
});

it("pushes, then finalizes", async () => {
  expect(await runAction({ command: "finalize", ...scores })).toMatchObject({ status: 3 });
  expect(await runAction({ command: "push", ...scores })).toMatchObject({ status: 0 });
  expect(await run("vipscore", ["verify", "scores.csv", "--stage", "1"])).toMatchObject({ status: 0 });
  expect(await runAction({ command: "finalize", ...scores })).toMatchObject({ status: 0 });
});

it.each([
  [{ command: "deploy", ...scores }, "command must be plan, push or finalize"],
  [{ command: "push", stage: "1 --prune", file: "scores.csv" }, "stage must be a number, 1 or higher"],
  [{ command: "push", stage: "1", file: "" }, "file is missing"],
])("refuses %o", async (inputs, message) => {
  const { status, output } = await runAction(inputs);
  expect(output).toContain(message);
  expect(status).toBe(1);
});

it("keeps the key in an endpoint's path out of the comment", () => {
  const env = { VIPSCORE_ENDPOINT: "https://rollup.example/v1/key?token=b", L1_REST_URL: "https://l1.example" };
  expect(hidePaths("https://rollup.example/v1/key?token=b, /v1/key, https://l1.example/x", env)).toBe(
    "https://rollup.example/…, /…, https://l1.example/x",
  );
});

it("shows the ten largest changes, lowered scores too", () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ account: `0x${index}`, file: `${index + 1}`, chain: null }));
  const table = largestChanges([...rows, { account: "0xgone", file: null, chain: "18446744073709551615" }]);
  expect(table.split("\n")[2]).toBe("| `0xgone` | 18446744073709551615 | 0 | -18446744073709551615 |");
  expect(table).toContain("| `0x11` | 0 | 12 | +12 |");
  expect(table).toMatch(/\n\n3 more changes\.$/);
});
