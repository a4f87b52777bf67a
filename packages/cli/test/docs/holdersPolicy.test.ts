import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startIndexer, type RunningIndexer } from "@vipscore/indexer";
import { getStatus, openIndexer } from "@vipscore/indexer-client";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { alice, bob, carol, Collectors } from "../collectors.ts";
import { runCli, startTestChain } from "../harness.ts";

const chain = started(() => startTestChain());
let indexer: RunningIndexer;
let collectors: Collectors;
let last: number;

beforeAll(async () => {
  collectors = await Collectors.deploy(chain);
  await collectors.mint(alice, bob, alice);
  last = await collectors.mint(carol);
  indexer = await startIndexer({ source: { jsonRpcUrl: chain.node.rpcUrl } });
  const client = openIndexer(indexer.url);
  await until("the indexer", async () => (await getStatus(client)).height >= last);
});
afterAll(() => indexer.stop());

test("a policy of three lines counts what `nft holders` lists", async () => {
  const listed = await runCli(
    ["nft", "holders", collectors.address, "--indexer-url", indexer.url, "--json"],
    chain.cwd,
  );
  const holders = listed.json()["holders"] as readonly { readonly owner: string; readonly tokens: number }[];
  await mkdir(join(chain.cwd, "policy"));
  const settings = `name = "holders"
version = "1"

[rollup]
chain_id = "31337"

[window]
blocks = [${last}, ${last}]

[[source]]
name = "tokens"
kind = "nft_holdings"
collections = ["${collectors.address}"]
`;
  await writeFile(join(chain.cwd, "policy", "policy.toml"), settings);
  const guide = await readFile(new URL("../../../../docs/policy.md", import.meta.url), "utf8");
  const [sql = ""] = /select owner as address, count.*?\nfrom tokens\ngroup by owner\n/s.exec(guide) ?? [];
  await writeFile(join(chain.cwd, "policy", "policy.sql"), sql);
  const { status } = await runCli(["score", "run", "policy", "--stage", "1", "--out", "policy.csv"], chain.cwd);
  expect(status).toBe(0);
  const [, ...rows] = (await readFile(join(chain.cwd, "policy.csv"), "utf8")).trimEnd().split("\n");
  expect(rows.sort()).toEqual(holders.map(({ owner, tokens }) => `${owner},${tokens * 10}`).sort());
  expect(rows).toHaveLength(3);
});
