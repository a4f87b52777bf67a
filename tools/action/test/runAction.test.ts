import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "vitest";
import { writeNodeFile } from "@vipscore/core/nodeFile";
import { startHardhat } from "@vipscore/localnet";
import { script, type ScriptedServer } from "@vipscore/testkit/scriptedServer";
import { started } from "@vipscore/testkit/started";
import { hidePaths } from "../src/hidePaths.ts";
import { largestChanges } from "../src/largestChanges.ts";
import { account, makeActionFolder, type Run } from "./actionFolder.ts";
import { bodyOf, postedTo, runnerEnvironment, startGitHub } from "./gitHub.ts";

const summary = "summary.md";
const folder = started(() => makeActionFolder());
const node = started(() => startHardhat());

async function runAction(
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const entries = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value] as const);
  return folder.runScript({ ...Object.fromEntries(entries), ...env });
}

beforeAll(async () => {
  await writeNodeFile(folder.path, node);
  const { status, output } = await folder.run("vipscore", ["deploy", "--init-stage", "1"]);
  if (status !== 0) throw new Error(output);
});
afterEach(() => rm(join(folder.path, summary), { force: true }));

function onPull(gitHub: ScriptedServer): Readonly<Record<string, string>> {
  return {
    ...runnerEnvironment(gitHub, folder.path),
    GITHUB_STEP_SUMMARY: join(folder.path, summary),
    ACTION_TOKEN: "a-token",
  };
}

const scores = { stage: "1", file: "scores.csv" };

it("comments the plan with its cost and largest changes, and updates its own comment only", async () => {
  const person = { id: 1, body: "<!-- vipscore plan: stage 1, 73636f7265732e637376 -->\nmine", user: { type: "User" } };
  const gitHub = await startGitHub([person]);
  const first = await runAction({ command: "plan", ...scores }, onPull(gitHub));
  expect(first).toMatchObject({ status: 0, output: expect.not.stringMatching(/\bexit\b/) });
  const post = postedTo(gitHub);
  expect(post.headers["authorization"]).toBe("Bearer a-token");
  expect(bodyOf(post)).toMatch(/add +2 .*\n.*gas +[\d,]+ +price +[\d.]+ GAS/);
  expect(bodyOf(post)).toContain(`| \`${account(1)}\` | 0 | 1,200 | +1,200 |\n| \`${account(2)}\` | 0 | 350 | +350 |`);
  expect(await readFile(join(folder.path, summary), "utf8")).toBe(bodyOf(post));

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
  await writeFile(join(folder.path, "wrong.csv"), "address,score\n0x12,```5\n");
  const { status } = await runAction({ command: "plan", stage: "1", file: "wrong.csv" }, onPull(gitHub));
  expect(status).toBe(2);
  const post = postedTo(gitHub);
  expect(bodyOf(post)).toMatch(/^### .*\b1\b/m);
  expect(bodyOf(post)).toMatch(/^wrong\.csv:2 [^]*\[INPUT_INVALID, exit 2\]/m);
});

it("cuts 2,000 bad rows to what a comment takes", async () => {
  const gitHub = await startGitHub();
  const rows = Array.from({ length: 2000 }, (_, index) => `0x${index},${"`".repeat(100)}`);
  await writeFile(join(folder.path, "many.csv"), `address,score\n${rows.join("\n")}\n`);
  const { status, output } = await runAction({ command: "plan", stage: "1", file: "many.csv" }, onPull(gitHub));
  expect({ status, output: output.includes("::warning::") }).toEqual({ status: 2, output: false });
  const body = bodyOf(postedTo(gitHub));
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body).toMatch(/^many\.csv:2 [^]*^many\.csv:26 [^]*^… \d+ more .*$[^]*\[INPUT_INVALID, exit 2\]/m);
  expect(await readFile(join(folder.path, summary), "utf8")).toBe(body);
});

it.each([
  [["PATCH"], "was deleted"],
  [["PATCH", "DELETE"], "is still there"],
])("does not leave an earlier plan unnoticed when GitHub refuses %o", async (refused, state) => {
  const marker = "<!-- vipscore plan: stage 1, 73636f7265732e637376 -->";
  const gitHub = await startGitHub([{ id: 5, body: `${marker}\nold`, user: { type: "Bot" } }], refused);
  const { status, output } = await runAction({ command: "plan", ...scores }, onPull(gitHub));
  expect(status).toBe(0);
  expect(output).toMatch(new RegExp(`^::warning::.*\\b403\\b.*${state}$`, "m"));
  expect(gitHub.requests.map(({ method, path }) => `${method} ${path}`)).toContain(
    "DELETE /repos/example/scores/issues/comments/5",
  );
});

it("plans without a comment when GitHub refuses it, as on a fork", async () => {
  const gitHub = await script(() => ({ status: 403, body: { message: "Resource not accessible" } }));
  const { status, output } = await runAction({ command: "plan", ...scores }, onPull(gitHub));
  expect(output).toMatch(/^::warning::.*\b403\b.*\bGET \/repos\/example\/scores\/issues\/7\/comments$/m);
  expect(status).toBe(0);
  expect(await readFile(join(folder.path, summary), "utf8")).toMatch(/add +2 .*\n.*gas +[\d,]+ /);
});

it("pushes, then finalizes, with a summary, and an error that GitHub shows", async () => {
  const env = { GITHUB_STEP_SUMMARY: join(folder.path, summary) };
  const early = await runAction({ command: "finalize", ...scores }, env);
  expect(early.status).toBe(3);
  expect(early.stdout).toMatch(/^::error title=vipscore finalize .*\b1::.*\[VERIFY_MISMATCH\]$/m);
  expect(await runAction({ command: "push", ...scores }, env)).toMatchObject({ status: 0, stdout: "" });
  const text = await readFile(join(folder.path, summary), "utf8");
  expect(text).toMatch(
    /^### .*\b1\b.*\bfinalize\b.*\b3\n[^]*\bVERIFY_MISMATCH\b[^]*^### .*\b1\b.*\bpush\b[^]*add +2 /m,
  );
  expect(await folder.run("vipscore", ["verify", "scores.csv", "--stage", "1"])).toMatchObject({ status: 0 });
  await writeFile(join(folder.path, "fewer.csv"), `address,score\n${account(1)},1200\n`);
  const refused = await runAction({ command: "plan", stage: "1", file: "fewer.csv" }, env);
  expect(refused).toMatchObject({ status: 3, stdout: expect.stringMatching(/^::error .*\[EXTRA_ACCOUNTS\]$/m) });
  expect(await readFile(join(folder.path, summary), "utf8")).toContain(`| \`${account(2)}\` | 350 | 0 | -350 |`);
  expect(await runAction({ command: "finalize", ...scores })).toMatchObject({ status: 0 });
});

it.each([
  [{ command: "remove", ...scores }, /\bcommand\b.*\bplan\b.*\bpush\b.*\bfinalize\b/],
  [{ command: "push", stage: "1 --prune", file: "scores.csv" }, /\bstage\b.*\bauto\b.*\b1\b/],
  [{ command: "push", stage: "1", file: "" }, /\bError: file\b/],
])("refuses %o", async (inputs, named) => {
  const { status, output } = await runAction(inputs);
  expect(output).toMatch(named);
  expect(status).toBe(1);
});

it("keeps the key in an endpoint's path out of the comment", () => {
  const env = { VIPSCORE_ENDPOINT: "https://rollup.example/v1/key?token=b", L1_REST_URL: "https://l1.example" };
  expect(hidePaths("https://rollup.example/v1/key?token=b, /v1/key, https://l1.example/x", env)).toBe(
    "https://rollup.example/…, /…, https://l1.example/x",
  );
});

it("hides the path of every URL in the environment, also where it begins with that of another", () => {
  const env = { DATABASE_URL: "postgres://db.example/v1", OTHER: "https://node.example/v1/key/", PATH: "/v1:/bin" };
  expect(hidePaths("https://node.example/v1/key and /v1, in /bin", env)).toBe("https://node.example/… and /…, in /bin");
});

it("shows the ten largest changes, lowered scores too", () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ account: `0x${index}`, file: `${index + 1}`, chain: null }));
  const table = largestChanges([...rows, { account: "0xgone", file: null, chain: "18446744073709551615" }]);
  expect(table.split("\n")[2]).toBe("| `0xgone` | 18,446,744,073,709,551,615 | 0 | -18,446,744,073,709,551,615 |");
  expect(table).toContain("| `0x11` | 0 | 12 | +12 |");
  expect(table).toMatch(/\n\n3 .*$/);
});
