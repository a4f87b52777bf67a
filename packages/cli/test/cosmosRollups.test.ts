import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startVipnode, testAccounts, type CosmosNode } from "@vipscore/localnet";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { startScript } from "./childCli.ts";
import { allOutput, csvOf, openTestFolder, runCli, type JsonObject, type TestFolder } from "./harness.ts";

const { deployer, operator } = testAccounts;
const own = deployer.address.toLowerCase();

/** What a VM's deployment reports beside the common fields, and the variables of its endpoints. */
interface RollupFacts {
  readonly address: unknown;
  readonly deployed: object;
  readonly endpoints: readonly (readonly [variable: "REST_URL" | "RPC_NODE_URL", url: "restUrl" | "rpcUrl"])[];
}

/** Registers what the command does on either VM; returns the folder and the node of further tests. */
function testRollup(vm: "move" | "wasm", { address, deployed: more, endpoints }: RollupFacts) {
  let node: CosmosNode;
  let folder: TestFolder;
  beforeAll(async () => {
    node = await startVipnode({ vm });
    folder = await openTestFolder(node);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test("a dry run refuses an owner beside whom the deployer could replace the code", async () => {
    const args = ["deploy", "--init-stage", "1", "--owner", operator.address, "--dry-run", "--json"];
    const { code, message } = (await folder.cli(args)).json()["error"] as JsonObject;
    expect(code).toBe("INPUT_INVALID");
    expect(message).toContain(vm === "move" ? "--upgrade-policy" : "--admin");
    await folder.ok(["deploy", "--init-stage", "1", "--owner", deployer.address, "--dry-run"]);
  });

  test("from nothing to a finalized stage", async () => {
    const deployed = await folder.ok(["deploy", "--init-stage", "1", "--member", operator.address]);
    expect(deployed).toMatchObject({
      contract: { vm, chainId: node.chainId, address },
      version: contractVersion,
      initStage: "1",
      owner: own,
      pendingOwner: null,
      transaction: { height: expect.stringMatching(/^\d+$/) as string },
      ...more,
    });
    const members = [own, operator.address.toLowerCase()];
    expect([...(deployed["members"] as readonly string[])].sort()).toEqual(members.sort());
    await folder.write("scores.csv", csvOf(300));
    const dry = await folder.ok(["push", "scores.csv", "--stage", "1", "--dry-run"]);
    expect(dry).toMatchObject({ plan: { add: 300, token: { symbol: "umin" } }, transactions: [] });
    const pushed = await folder.ok(["push", "scores.csv", "--stage", "1"]);
    expect(pushed).toMatchObject({ plan: { add: 300 }, verification: { agrees: true, accounts: 300 } });
    const again = await folder.ok(["push", "scores.csv", "--stage", "1"]);
    expect(again).toMatchObject({ plan: { unchanged: 300, rowsToWrite: 0 }, transactions: [] });
    const status = await folder.ok(["status"]);
    expect(status).toMatchObject({
      stages: [{ stage: "1", isFinalized: false, accounts: 300 }],
      signer: { isMember: true },
    });
    const exported = await folder.cli(["export", "--stage", "1", "--out", "-"]);
    expect(exported.stdout.split("\n")).toHaveLength(302);
    const finalized = await folder.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
    expect(finalized).toMatchObject({ verification: { agrees: true } });
    const late = await folder.cli(["push", "scores.csv", "--stage", "1", "--json"]);
    expect(late.status).toBe(3);
    expect(late.json()["error"]).toMatchObject({ code: "STAGE_FINALIZED" });
  });

  test("members are added and removed, and an account that is not one may not write", async () => {
    const stranger = `0x${"5".repeat(64)}`;
    expect(await folder.ok(["members", "add", stranger])).toMatchObject({ account: stranger });
    expect((await folder.ok(["members", "list"]))["members"]).toContain(stranger);
    expect(await folder.ok(["members", "remove", stranger])).toMatchObject({ account: stranger });
    expect((await folder.ok(["members", "list"]))["members"]).not.toContain(stranger);
    expect(await folder.ok(["members", "remove", operator.address])).toMatchObject({ transaction: { hash: /./ } });
    await folder.write("two.csv", csvOf(2));
    const env = { MNEMONIC: operator.mnemonic };
    const denied = await folder.cli(["push", "two.csv", "--stage", "2", "--json"], { env });
    expect(denied.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED", exit: 3 });
  });

  test("a mnemonic signs with either coin type", async () => {
    const signer = async (env: Record<string, string>): Promise<unknown> =>
      (await folder.ok(["status"], { env }))["signer"];
    expect(await signer({ MNEMONIC: deployer.mnemonic })).toMatchObject({ account: own });
    expect(await signer({ PRIVATE_KEY: deployer.privateKey })).toMatchObject({ account: own });
    const cosmos = await signer({ MNEMONIC: deployer.mnemonic, COIN_TYPE: "118" });
    expect(cosmos).toMatchObject({ isMember: false, balance: "1000000000000000" });
    expect(cosmos).not.toMatchObject({ account: own });
  });

  test.each([
    ["both keys", { MNEMONIC: deployer.mnemonic, PRIVATE_KEY: deployer.privateKey }, "KEY_INVALID"],
    ["a mnemonic with a wrong word", { MNEMONIC: deployer.mnemonic.replace("room", "zoo") }, "KEY_INVALID"],
    ["an invalid mnemonic", { MNEMONIC: "secretword ".repeat(12) }, "KEY_INVALID"],
    ["another coin type", { COIN_TYPE: "330" }, "CONFIG_INVALID"],
    ["an invalid gas price", { GAS_PRICES: "cheap" }, "CONFIG_INVALID"],
    ["another chain", { CHAIN_ID: `mini${vm}-2` }, "CHAIN_MISMATCH"],
    ["an address without a contract", { CONTRACT_ADDRESS: operator.address }, "CONTRACT_NOT_FOUND"],
  ])("%s: %s", async (_name, env, code) => {
    const result = await folder.cli(["status", "--json", "--debug"], { env });
    expect(result.json()["error"]).toMatchObject({ code });
    expect(result.stdout + result.stderr).not.toMatch(/secretword|fruit chalk/);
  });

  test.each(endpoints)("%s is enough; another VM's variable beside it is refused", async (variable, url) => {
    const env = { [variable]: node[url], CONTRACT_ADDRESS: contractOf(await folder.ok(["status"])) };
    const both = { ...env, JSON_RPC_URL: "http://127.0.0.1:9" };
    const found = await runCli(["status", "--json"], "/tmp", { env });
    expect(found.json()).toMatchObject({ contract: { vm, chainId: node.chainId } });
    const two = await runCli(["status", "--json"], "/tmp", { env: both });
    expect(two.json()["error"]).toMatchObject({ code: "CONFIG_INVALID" });
    expect(await runCli(["status", "--vm", vm, "--json"], "/tmp", { env: both })).toMatchObject({ status: 0 });
  });

  test("the names of the guides: RPC_NODE_URL alone, from the deployment to the end of a stage", async () => {
    const key = { RPC_NODE_URL: node.rpcUrl, MNEMONIC_KEY: operator.mnemonic };
    const guide = { CHAIN_ID: node.chainId, GAS_PRICES: "0.015umin", INIT_STAGE: "3", ...key };
    const inFolder = (args: readonly string[], env: Record<string, string>) =>
      runCli([...args, "--json"], folder.cwd, { env });
    const deployed = (await inFolder(["deploy"], guide)).json();
    expect(deployed).toMatchObject({ contract: { vm }, initStage: "3", owner: operator.address.toLowerCase() });
    const env = { ...key, SCORE_CONTRACT: contractOf(deployed), TARGET_STAGE: "3" };
    await folder.write("guide.csv", csvOf(40));
    for (const args of [
      ["push", "guide.csv"],
      ["verify", "guide.csv"],
    ]) {
      expect((await inFolder(args, env)).json()).toMatchObject({ stage: "3", verification: { agrees: true } });
    }
    const done = await inFolder(["finalize", "--file", "guide.csv", "--yes"], env);
    expect(done.json()).toMatchObject({ stage: "3", verification: { agrees: true } });
    const other = await inFolder(["status"], { ...env, MNEMONIC: deployer.mnemonic });
    expect(other.json()["error"]).toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/\bMNEMONIC\b.*\bMNEMONIC_KEY\b/) as string,
    });
    expect((await inFolder(["verify", "guide.csv", "--stage", "9"], env)).json()["error"]).toMatchObject({
      code: "STAGE_NOT_FOUND",
    });
  });

  test("deploying again with another first stage is refused", async () => {
    const other = await folder.cli(["deploy", "--init-stage", "7", "--json"]);
    expect(other.json()["error"]).toMatchObject({ code: "INIT_STAGE_SET", exit: 3 });
  });

  test("no output shows a key", () => {
    const text = allOutput.join("\n");
    for (const { mnemonic, privateKey } of [deployer, operator]) {
      expect(text).not.toContain(mnemonic);
      expect(text).not.toContain(privateKey.slice(2));
    }
  });

  return { folderOf: () => folder, nodeOf: () => node };
}

describe("move", () => {
  const { folderOf, nodeOf } = testRollup("move", {
    address: own,
    deployed: { upgradePolicy: "compatible" },
    endpoints: [
      ["RPC_NODE_URL", "rpcUrl"],
      ["REST_URL", "restUrl"],
    ],
  });

  const contracts = fileURLToPath(new URL("../../../contracts/move", import.meta.url));
  // The compiler asks Go where the library is.
  const { PATH, HOME } = process.env;
  const options = { env: { PATH, HOME } };

  test("a new game is tested and published with the program of the local chain", async () => {
    const folder = folderOf();
    await folder.ok(["new", "move", "game"]);
    // As npm installs it.
    await symlink(join(contracts, "../../node_modules"), join(folder.cwd, "game/node_modules"));
    const tested = await folder.cli(["move", "test", "game"], options);
    expect(tested.status).toBe(0);
    expect(tested.stdout).toMatch(/\bpassed: [1-9]\d*; failed: 0\b/);
    const source = join(folder.cwd, "game/sources/arena.move");
    const text = await readFile(source, "utf8");
    const failing = text
      .replace(/^module .*$/m, "$&\n    /// Closed.\n    const E_CLOSED: u64 = 65539;")
      .replace(/fun init_module.*$/m, "$&\n        assert!(signer::address_of(author) != @arena, E_CLOSED);");
    await writeFile(source, failing);
    const account = `${nodeOf().restUrl}/cosmos/auth/v1beta1/account_info/${formatBech32(parseAccount(own, { accountBytes: [20] }))}`;
    const before = await (await fetch(account)).json();
    const aborted = await folder.cli(["move", "publish", "game"], options);
    expect(aborted.status).toBe(2);
    expect(aborted.stderr).toMatch(/\b0x10003\b.*\barena, E_CLOSED: Closed\./);
    await writeFile(source, text);
    const early = ["move", "publish", "game", "--named-address", "vip_score=0xabc", "--json"];
    expect((await folder.cli(early, options)).json()["error"]).toMatchObject({
      code: "CONTRACT_NOT_FOUND",
      message: expect.stringMatching(/\bgame\b.*\b0x0{37}abc::vip_score\b/) as string,
      hints: expect.arrayContaining([expect.stringMatching(/\bvipscore deploy\b.*--named-address\b/)]) as unknown,
    });
    expect(await (await fetch(account)).json()).toEqual(before);
    expect(await folder.ok(["move", "publish", "game"], options)).toMatchObject({
      address: own,
      modules: ["arena"],
      transaction: { hash: expect.stringMatching(/^[0-9a-f]{64}$/i) as string },
    });
  });

  test("a new game's script deploys it, makes it a member and wins", async () => {
    const folder = folderOf();
    const env = { ...options.env, MNEMONIC: deployer.mnemonic, REST_URL: nodeOf().restUrl, CONTRACT_ADDRESS: own };
    const script = await startScript("deploy.js", join(folder.cwd, "game"), env);
    expect({ status: await script.ended, ...script.output }).toMatchObject({ status: 0 });
    const [, object = ""] = /\b(0x[0-9a-f]{64})\b/.exec(script.output.stdout) ?? [];
    expect((await folder.ok(["status"]))["members"]).toContain(object);
    // Another account publishes a game, and may not add it.
    const strange = await startScript("deploy.js", join(folder.cwd, "game"), { ...env, MNEMONIC: operator.mnemonic });
    expect(await strange.ended).toBe(0);
    expect(strange.output.stdout).toMatch(/\bmembers add 0x[0-9a-f]{64}\b/);
    // In the folder of the local chain the script also wins.
    await cp(join(folder.cwd, "game"), folder.cwd, { recursive: true });
    const winning = await startScript("deploy.js", folder.cwd, options.env);
    await winning.ended;
    expect((await folder.ok(["status"]))["stages"]).toMatchObject([{ isFinalized: true }, { total: "5" }]);
  });

  test("a game's failing tests are reported, and packages are built with the names that they leave open", async () => {
    const folder = folderOf();
    const source = join(folder.cwd, "game/sources/arena.move");
    const text = await readFile(source, "utf8");
    await writeFile(source, text.replace("== 12", "== 13"));
    const failed = await folder.cli(["move", "test", "game"], options);
    expect(failed.status).toBe(2);
    expect(failed.stdout).toMatch(/\bfailed: 1\b/);
    const alone = { ...options, cwd: join(folder.cwd, "game") };
    const built = await folder.cli(["move", "build"], alone);
    expect(built.status).toBe(0);
    expect(built.stderr).toMatch(/\barena=0xa0\b[^]*\bvip_score=0xa1\b/);
    for (const part of ["Move.toml", "sources"])
      await cp(join(contracts, part), join(folder.cwd, "game/fork", part), { recursive: true });
    const forked = await folder.cli(["move", "build", "fork"], {
      ...alone,
      env: { PATH, HOME, MNEMONIC: deployer.mnemonic },
    });
    expect(forked.stderr + forked.stdout).toMatch(new RegExp(`vip_score=${own}[^]*^built +package fork$`, "m"));
    const compiled = await readFile(join(folder.cwd, "game/fork/build/vip_score/bytecode_modules/vip_score.mv"));
    expect(compiled.includes(own.slice(2), 0, "hex")).toBe(true);
    const absent = (await folder.cli(["move", "build", "absent", "--json"])).json()["error"];
    expect(absent).toMatchObject({ code: "FILE_UNREADABLE" });
  });

  test("a second deploy reports that everything exists", async () => {
    const again = await folderOf().cli(["deploy", "--init-stage", "1"]);
    expect(again.status).toBe(0);
    // The hash of a transaction.
    expect(again.stdout + again.stderr).not.toMatch(/\b[0-9a-f]{64}\b/i);
    const expected = { transaction: null, upgradePolicy: "compatible" };
    expect(await folderOf().ok(["deploy", "--init-stage", "1"])).toMatchObject(expected);
  });
});

describe("wasm", () => {
  const { folderOf, nodeOf } = testRollup("wasm", {
    address: expect.stringMatching(/^init1[0-9a-z]{58}$/),
    deployed: { admin: own, codeId: "1" },
    endpoints: [["RPC_NODE_URL", "rpcUrl"]],
  });

  test("the last member stays", async () => {
    const last = await folderOf().cli(["members", "remove", deployer.address, "--json"]);
    expect(last.json()["error"]).toMatchObject({ code: "LAST_MEMBER", exit: 3 });
  });

  test("a new game's script deploys it, makes it a member and wins", async () => {
    const folder = folderOf();
    const { cwd } = folder;
    await folder.ok(["deploy", "--init-stage", "1"]);
    await folder.ok(["new", "wasm", "game"]);
    // As npm installs and builds it.
    const place = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
    await symlink(place("node_modules"), join(cwd, "game/node_modules"));
    await cp(place("contracts/wasm/examples/arena/artifacts/arena.wasm"), join(cwd, "game/arena.wasm"));
    const deployed = await startScript("game/deploy.js", cwd);
    expect({ status: await deployed.ended, ...deployed.output }).toMatchObject({ status: 0 });
    const [, game] = /\barena (init1\w+)/.exec(deployed.output.stdout) ?? [];
    const status = await folder.ok(["status"]);
    expect(status["members"]).toContain(parseAccount(game ?? "", { accountBytes: [32] }));
    expect(status["stages"]).toMatchObject([{ isFinalized: true }, { total: "5", accounts: 1 }]);
    // The account that won is that of `vipscore` for the mnemonic.
    expect((await folder.cli(["export", "--stage", "2"])).stdout).toContain(`${deployer.address},5`);

    const noKey = await startScript("game/deploy.js", cwd, { VIPSCORE_ENDPOINT: nodeOf().rpcUrl });
    expect(await noKey.ended).toBe(1);
    expect(noKey.output.stderr).toContain("MNEMONIC");
  });

  test("a second deploy creates a new contract of the same code, with the given admin and label", async () => {
    const first = contractOf(await folderOf().ok(["status"]));
    const label = "scores of minitia-1";
    const args = ["deploy", "--init-stage", "5", "--admin", "none", "--label", label];
    const deployed = await folderOf().cli([...args, "--json"]);
    expect(deployed.status).toBe(0);
    expect(deployed.json()).toMatchObject({ initStage: "5", admin: "none", codeId: "1" });
    const second = contractOf(deployed.json());
    expect(second).not.toBe(first);
    const answer = await fetch(`${nodeOf().restUrl}/cosmwasm/wasm/v1/contract/${second}`);
    expect(await answer.json()).toMatchObject({ contract_info: { admin: "", label } });
    expect(contractOf(await folderOf().ok(["status"]))).toBe(second);
  });

  test("an upgrade finds the existing code, and refuses a contract without an admin", async () => {
    const upgraded = await folderOf().ok(["deploy", "--init-stage", "5", "--upgrade"]);
    expect(upgraded).toMatchObject({ initStage: "5", admin: "none", transaction: null });
    const other = await folderOf().cli(["deploy", "--init-stage", "6", "--upgrade", "--json"]);
    expect(other.json()["error"]).toMatchObject({ code: "INIT_STAGE_SET", exit: 3 });
    const named = await folderOf().cli(["deploy", "--init-stage", "5", "--upgrade", "--label", "other", "--json"]);
    expect(named.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  });

  test.each([
    ["--upgrade-policy=immutable", ["--upgrade-policy", "Move", "Wasm"]],
    ["--contract=init1", ["--contract", "--upgrade"]],
  ])("deploy %s is refused", async (flag, named) => {
    const refused = await folderOf().cli(["deploy", "--init-stage", "1", flag, "--json"]);
    const error = refused.json()["error"] as JsonObject;
    expect(error).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
    for (const value of named) expect(error["message"]).toContain(value);
  });
});

const contractOf = (answer: JsonObject) => (answer["contract"] as { readonly address: string }).address;
