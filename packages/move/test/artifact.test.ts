import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { stage, type DeployEvent } from "@vipscore/core";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { buildVipnode } from "@vipscore/localnet";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { longAccountOf, rowsOf, writeRows } from "@vipscore/testkit/adapter/rows";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { contractsFolder } from "../scripts/compileModule.ts";
import { connectMove, deployMove, type MoveAccount } from "../src/index.ts";
import { startMove } from "./moveChain.ts";
import { codeOf, freshAccount } from "./testContract.ts";

const chain = useChain(() => startMove());
const initStage = stage(4n);

const folder = temporaryFolder();

/** Builds a changed copy of our package for an account: another version, and another module beside it. */
async function buildFork({ account }: MoveAccount): Promise<string> {
  const fork = join(folder, account);
  await cp(join(contractsFolder, "Move.toml"), join(fork, "Move.toml"));
  const source = await readFile(join(contractsFolder, "sources/vip_score.move"), "utf8");
  const changed = source
    .replace(`VERSION: vector<u8> = b"${contractVersion}"`, 'VERSION: vector<u8> = b"2.1.0-acme"')
    .replace(
      "    public fun contract_version()",
      "    public fun limit(): u64 { vip_score::limits::most() }\n\n    #[view]\n$&",
    );
  await cp(join(contractsFolder, "sources"), join(fork, "sources"), { recursive: true });
  await writeFile(join(fork, "sources/vip_score.move"), changed);
  await writeFile(join(fork, "sources/limits.move"), "module vip_score::limits { public fun most(): u64 { 7 } }\n");
  const vipnode = await buildVipnode({ vm: "move" });
  await promisify(execFile)(vipnode, ["build", fork, "--named-address", `vip_score=${account}`], { cwd: fork });
  return fork;
}

async function deploy(account: MoveAccount, artifact: string, more: object = {}) {
  const steps: string[] = [];
  const onEvent = ({ step, status }: DeployEvent) => steps.push(`${step} ${status}`);
  const deployed = await deployMove({ restUrl: chain().url, account, initStage, artifact, onEvent, ...more });
  return { deployed, steps };
}

test("a changed module with its own version keeps the checked finalize and every other feature", async () => {
  const account = await freshAccount(chain().node);
  const fork = await buildFork(account);
  const { deployed, steps } = await deploy(account, fork, { finalizer: longAccountOf(2) });
  expect(deployed).toMatchObject({ version: "2.1.0-acme", features: allFeatures, finalizer: longAccountOf(2) });
  expect(steps.slice(0, 2)).toEqual(["publish sending", "publish done"]);
  const contract = await connectMove({ restUrl: chain().url, address: account.address, account });
  expect(contract).toMatchObject({ version: "2.1.0-acme", features: allFeatures });
  await writeRows(contract, rowsOf(3), initStage);
  expect(await contract.getStage(initStage)).toMatchObject({ count: 3n, revision: 1n });

  expect((await deploy(account, fork)).steps[0]).toBe("publish unchanged");
  // A change of the other module alone is an upgrade too.
  await writeFile(join(fork, "sources/limits.move"), "module vip_score::limits { public fun most(): u64 { 8 } }\n");
  const vipnode = await buildVipnode({ vm: "move" });
  const named = ["--named-address", `vip_score=${account.account}`];
  await promisify(execFile)(vipnode, ["build", fork, ...named], { cwd: fork });
  await expect(deploy(account, fork)).rejects.toMatchObject({ code: "CONFIRMATION_MISSING" });
  expect((await deploy(account, fork, { upgrade: true })).steps.slice(0, 2)).toEqual([
    "upgrade sending",
    "upgrade done",
  ]);
});

test("a module with only the published interface is published from its file", async () => {
  const account = await freshAccount(chain().node);
  const file = join(folder, "vip_score.mv");
  await writeFile(file, codeOf("reference", account.account));
  await expect(deploy(account, file, { owner: longAccountOf(1) })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  const { deployed, steps } = await deploy(account, file, { members: [longAccountOf(1)] });
  expect(deployed).toMatchObject({ features: noFeatures, owner: undefined, initStage, version: undefined });
  expect(deployed.members).toEqual([account.account, longAccountOf(1)]);
  expect(steps.filter((step) => step.endsWith("done"))).toEqual([
    "publish done",
    "addMember done",
    "setInitStage done",
    "addMember done",
  ]);
});

test("what cannot be published is refused before anything is sent", async () => {
  const [account, other] = [await freshAccount(chain().node), await freshAccount(chain().node)];
  const ours = codeOf("ours", account.account);
  const renamed = (from: string, to: string): Buffer => {
    const code = Buffer.from(ours);
    Buffer.from(to).copy(code, code.indexOf(from));
    return code;
  };
  const refused = async (code: Buffer | string, named: string | RegExp): Promise<void> => {
    const file = join(folder, "refused.mv");
    await writeFile(file, code);
    await expect(deploy(account, file)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      shortMessage: expect.stringMatching(named) as string,
    });
  };
  await refused("hello", "refused.mv");
  await refused(codeOf("ours", other.account), other.account.slice(2));
  await refused(renamed("finalize_script", "finalize_secret"), /finalize_script/);
  await refused(renamed("increase_score", "increase_scare"), /increase_score/);
  await refused(renamed("get_total_score", "get_total_scare"), /get_total_score/);
  await refused(renamed("vip_score", "vip_scare"), /vip_score/);
  const empty = await mkdtemp(join(folder, "empty-"));
  // A package's folder `build` has other folders in it.
  await mkdir(join(empty, "vip_score"));
  await expect(deploy(account, empty)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    metaMessages: expect.arrayContaining([expect.stringMatching(/\bMove\.toml\b/)]) as unknown,
  });
  await expect(deploy(account, join(empty, "none.mv"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});
