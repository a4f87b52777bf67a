// Two machines: their folders, and so their locks, differ, and only the contract's revision shows the other.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { passOn, script, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { csvOf, dailyVms, openTestFolder, startNode, type CliResult, type TestFolder } from "./harness.ts";

const { deployer, operator } = testAccounts;
const rows = 300;
const push = ["push", "scores.csv", "--json"];

const isBroadcast = ({ method, path, body }: SeenRequest): boolean =>
  /eth_sendRawTransaction|broadcast_tx/.test(body) || (method === "POST" && path.endsWith("/txs"));

describe.each(dailyVms)("%s", (vm) => {
  let folder: TestFolder;
  const other = temporaryFolder();
  let url: string;
  let connection: readonly string[];
  let stage = 0;

  beforeAll(async () => {
    const node = await startNode(vm);
    url = vm === "move" && "restUrl" in node ? String(node.restUrl) : node.rpcUrl;
    folder = await openTestFolder(node);
    const contract = await folder.deploy(1, ["--member", operator.address]);
    connection = ["--vm", vm, "--contract", contract];
    await folder.write("scores.csv", csvOf(rows));
  });
  afterAll(() => folder[Symbol.asyncDispose]());
  beforeEach(async () => {
    if (stage > 0) await folder.ok(["finalize", "--stage", `${stage}`, "--file", "scores.csv", "--yes"]);
    stage += 1;
  });

  /** Pushes from the other machine with another member's key. */
  async function pushElsewhere(csv: string): Promise<CliResult> {
    await writeFile(join(other, "scores.csv"), csv);
    const env = { PRIVATE_KEY: operator.privateKey };
    return folder.cli([...push, "--stage", `${stage}`, ...connection, "--endpoint", url], { cwd: other, env });
  }

  /** Pushes while the other machine's whole push happens right before the first transaction. */
  async function pushBehind(csv: string, ...more: readonly string[]): Promise<CliResult> {
    let elsewhere: Promise<CliResult> | undefined;
    const proxy = await script(async (request) => {
      if (isBroadcast(request)) expect(await (elsewhere ??= pushElsewhere(csv))).toMatchObject({ status: 0 });
      return passOn(url, request);
    });
    const env = { PRIVATE_KEY: deployer.privateKey };
    const args = [...push, "--stage", `${stage}`, ...connection, "--endpoint", proxy.url, ...more];
    return folder.cli(args, { env });
  }

  test("the later push of two says that others wrote, although the stage holds its file", async () => {
    const pushed = await pushBehind(csvOf(rows, 5000));
    expect(pushed.status).toBe(3);
    expect(pushed.json()).toMatchObject({
      error: { code: "OTHERS_WROTE", exit: 3 },
      verification: { agrees: true },
      otherWrites: expect.stringMatching(/^[1-9]\d*$/) as string,
    });
    const again = await folder.ok([...push, "--stage", `${stage}`]);
    expect(again).toMatchObject({ otherWrites: "0", verification: { agrees: true } });
  });

  test("with --others-write it succeeds", async () => {
    const pushed = await pushBehind(csvOf(rows, 5000), "--others-write");
    expect(pushed.status).toBe(0);
    expect(pushed.json()).toMatchObject({ verification: { agrees: true } });
  });

  test("rows of the other file that stay are a difference, with the other writer's calls", async () => {
    const pushed = await pushBehind(csvOf(rows + 1, 5000));
    expect(pushed.json()).toMatchObject({ error: { code: "VERIFY_MISMATCH", exit: 3 } });
    expect(pushed.stderr).toMatch(/\b[1-9]\d* calls?\b/);
    await folder.ok([...push, "--stage", `${stage}`, "--prune"]);
  });

  test("at the same time: if both succeed, the stage holds one of the files", async () => {
    const [mine, theirs] = await Promise.all([
      folder.cli([...push, "--stage", `${stage}`, ...connection]),
      pushElsewhere(csvOf(rows, 9000)),
    ]);
    const exits = [mine, theirs].map(({ status }) => status);
    for (const status of exits) expect([0, 3]).toContain(status);
    const held = await folder.ok(["export", "--stage", `${stage}`]);
    if (exits.every((status) => status === 0)) {
      const digests = [mine, theirs].map((pushed) => (pushed.json()["file"] as { readonly sha256: string }).sha256);
      expect(digests).toContain(held["sha256"]);
    }
  });
});
