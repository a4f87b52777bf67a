import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveJsonRpc, type LoopbackServer } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { findingsOf } from "./auditFindings.ts";
import { alice, bob, Collectors } from "./collectors.ts";
import { runCli, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
/** A node that hides the last log of each answer, and the bloom filters that would have it. */
let hiding: LoopbackServer;
const folder = temporaryFolder();
/** The block of the hidden log. */
let last: number;

beforeAll(async () => {
  await chain.deploy(12);
  const collectors = await Collectors.deploy(chain);
  const first = await collectors.mint(alice);
  await collectors.mint(bob);
  last = await collectors.mint(alice);
  hiding = await serveJsonRpc(async (method, params) => {
    const result = await chain.rpc(method, params);
    if (method === "eth_getBlockByNumber") return { ...(result as object), logsBloom: undefined };
    return method === "eth_getLogs" ? (result as readonly unknown[]).slice(0, -1) : result;
  }, 0);
  await collectors.writePolicy(join(folder, "policy"), `window.blocks = [${first}, ${last}]`);
  const run = ["score", "run", "policy", "--stage", "12", "--out", "scores.csv", "--endpoint", hiding.url];
  const { status, stderr } = await runCli(run, folder);
  if (status !== 0) throw new Error(stderr);
  const [source = ""] = await readdir(join(folder, ".vipscore", "data"));
  await cp(join(folder, ".vipscore", "data", source, "digests"), join(folder, "digests"), { recursive: true });
});
afterAll(() => hiding.close());

/** What an audit with the chain's own node finds about the source's blocks. */
async function blocksWith(...folders: readonly string[]) {
  const args = ["audit", "scores.manifest.json", "--policy", "policy", "--endpoint", chain.node.rpcUrl, "--json"];
  const result = await runCli([...args, "--blocks", ...folders], folder);
  expect(result.json()).toMatchObject({ error: { code: "AUDIT_DIFFERS" } });
  const found = findingsOf(result.json()).filter(({ subject, text }) => subject === "source" && text.includes("block"));
  return { found, text: result.stderr };
}

test("an audit names the first block that differs, from the operator's digests", async () => {
  const { found } = await blocksWith("policy", "digests");
  expect(found).toMatchObject([{ status: "differs", name: "source mints" }]);
  expect(found[0]?.text).toMatch(new RegExp(`\\b${last}\\b.*\\bno row\\b.*\\b1 row\\b`));
});

test("digests that are not of the manifest's source name no block", async () => {
  const [part = ""] = await readdir(join(folder, "digests"));
  await cp(join(folder, "digests"), join(folder, "forged"), { recursive: true });
  const text = await readFile(join(folder, "forged", part), "utf8");
  await writeFile(join(folder, "forged", part), text.replace(/[0-9a-f]{64}/, "0".repeat(64)));
  const { found, text: shown } = await blocksWith("forged");
  expect(found).toEqual([]);
  expect(shown).toContain("--blocks");
});
