import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAccount, stage } from "@vipscore/core";
import type { PolicyFormulas } from "@vipscore/core/manifest";
import { describeMessage, forumText, proposalMessage, registerCall, renderUpdatePost } from "@vipscore/l1";
import { exampleFiles, policyFormulas, readPolicy } from "@vipscore/policy";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { addressOf } from "../harness.ts";

// The examples of posts in docs/posts, of made-up facts; `npx vitest run --mode docs forumPosts -u` writes them.

const post = (name: string): string => join(import.meta.dirname, `../../../../docs/posts/${name}.md`);
const account = (byte: string) => parseAccount(`0x${byte.repeat(20)}`, { accountBytes: [20] });

/** The formulas of the example `volume`, with a change of its query. */
async function formulas(change: (sql: string) => string = (sql) => sql): Promise<PolicyFormulas> {
  const folder = temporaryFolder();
  const files = await exampleFiles({ example: "volume", vm: "evm", chainId: "1234", contract: addressOf(1) });
  for (const [name, text] of files) await writeFile(join(folder, name), name === "policy.sql" ? change(text) : text);
  return policyFormulas(await readPolicy(folder));
}

test("docs/posts/whitelist.md is the post of a registration", async () => {
  const settings = {
    title: "Register my-rollup-1 with VIP",
    summary: "Users of my-rollup-1 earn for their trades.",
    metadata: "",
    deposit: { denom: "uinit", amount: 10_000_000n },
    bridgeId: 7n,
    bridgeAddress: account("b7"),
    operator: account("0e"),
    commission: { maxRate: 25n * 10n ** 16n, maxChangeRate: 10n ** 16n, rate: 5n * 10n ** 16n },
    contract: addressOf(2),
    policy: "https://example.org/policy",
  };
  const call = registerCall({ ...settings, scoreContract: settings.contract, vm: "evm" });
  const message = proposalMessage(call, account("3a"), { ...settings, proposer: account("0e") });
  const text = forumText({
    settings: { ...settings, $schema: undefined, proposer: undefined, recompute: undefined },
    policy: await formulas(),
    contract: { vm: "evm", chainId: "1234", address: settings.contract },
    vmName: "EVM",
    initStage: stage(12n),
    startsAt: new Date("2026-12-03T08:00:00Z"),
    meaning: describeMessage(message),
    howToCheck: ["npx @vipscore/cli export --stage <n> --vm evm --endpoint <JSON-RPC of the rollup>"],
  });
  await expect(text).toMatchFileSnapshot(post("whitelist"));
});

test("docs/posts/update.md is the post of a change", async () => {
  const text = renderUpdatePost({
    current: await formulas(),
    proposed: await formulas((sql) =>
      sql.replace("least(sum(volume), 10000)", "least(sum(volume), 5000) + least(count(*), 10)"),
    ),
    stage: 14n,
    startsAt: new Date("2026-12-31T08:00:00Z"),
    contract: addressOf(2),
    howToCheck: ["npx @vipscore/cli audit <scores.manifest.json> --policy <folder> --endpoint <node of the rollup>"],
  });
  await expect(text).toMatchFileSnapshot(post("update"));
});
