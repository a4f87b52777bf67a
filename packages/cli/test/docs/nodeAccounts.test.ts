import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPublicClient, getAddress, http } from "viem";
import { expect, test } from "vitest";
import { startHardhat, startVipnode, testAccounts } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { startChild } from "../childCli.ts";
import { blocksOf } from "../guide.ts";

const markdown = await readFile(new URL("../../../../docs/cli/node.md", import.meta.url), "utf8");
test("the request of the page funds an account on EVM", async () => {
  await using node = await startHardhat({ port: 0 });
  const account = `0x${"9".repeat(40)}`;
  const [line = ""] = blocksOf(markdown, "sh");
  const command = line.replace("http://127.0.0.1:8545", node.rpcUrl).replace("0x…", account);
  expect(await startChild(["sh", "-c", command], temporaryFolder()).ended).toBe(0);
  const client = createPublicClient({ transport: http(node.rpcUrl) });
  expect(await client.getBalance({ address: getAddress(account) })).toBe(10n ** 18n);
});

const account = "init1r8n7xah8cgfm0el8u3kvwzja6zrd4le2juuk8h";
const hex = "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a";
test.each([
  [{ vm: "move" }, hex],
  [{ vm: "wasm" }, account],
  [{ vm: "move", l1: true }, account],
] as const)("the script of the page funds an account: %j, %s", async (options, to) => {
  await using node = await startVipnode(options);
  const folder = temporaryFolder();
  await symlink(fileURLToPath(new URL("../../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  await writeFile(join(folder, "fund.mjs"), blocksOf(markdown, "js")[0] ?? "");
  const args = [node.restUrl, testAccounts.deployer.privateKey, to];
  const { ended, output } = startChild([process.execPath, "fund.mjs", ...args], folder);
  expect({ status: await ended, stderr: output.stderr }).toEqual({ status: 0, stderr: "" });
  const answer = await fetch(`${node.restUrl}/cosmos/bank/v1beta1/balances/${account}`);
  expect(await answer.json()).toMatchObject({ balances: [{ amount: "1000000000" }] });
});
