import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";
import { playWeb3signer, type PlayedWeb3signer, type Web3signerOptions } from "@vipscore/testkit/playWeb3signer";
import { started } from "@vipscore/testkit/started";
import { startCli } from "./childCli.ts";
import {
  addressOf,
  allOutput,
  codeOf,
  csvOf,
  dailyVms,
  openTestFolder,
  startNode,
  startTestChain,
  type TestFolder,
} from "./harness.ts";
import { useRollup, type LocalL1 } from "./localL1.ts";

const { deployer, operator } = testAccounts;
const account = operator.address.toLowerCase();
/** Of a proxy in front of the signer. */
const login = "operator:Xq7zJkVw2Qxj";

const play = (more: Partial<Web3signerOptions> = {}): Promise<PlayedWeb3signer> =>
  playWeb3signer({ keys: [{ privateKey: operator.privateKey }], login, ...more });

const urlOf = ({ url }: PlayedWeb3signer): string => url.replace("//", `//${login}@`);

/** Does all that an operator signs for, with one key of a remote signer. */
function signsEverything(folder: TestFolder): void {
  test("a contract is deployed, filled, finalized and handed over", async () => {
    const signer = await play();
    const options = { env: { VIPSCORE_REMOTE_SIGNER: urlOf(signer) } };
    const ok = (...args: readonly string[]) => folder.ok(args, options);
    expect(await ok("deploy", "--init-stage", "1")).toMatchObject({ owner: account });
    await folder.write("scores.csv", csvOf(400));
    const pushed = await folder.cli(["push", "scores.csv", "--stage", "1", "--json"], options);
    expect(pushed.json()).toMatchObject({ verification: { agrees: true, accounts: 400 } });
    expect(pushed.stderr).toContain("(VIPSCORE_REMOTE_SIGNER)");
    const again = await ok("push", "scores.csv", "--stage", "1", "--remote-signer", urlOf(signer));
    expect(again).toMatchObject({ transactions: [] });
    await ok("members", "add", deployer.address);
    await ok("members", "finalizer", operator.address);
    const finalized = await ok("finalize", "--stage", "1", "--file", "scores.csv", "--yes");
    expect(finalized).toMatchObject({ verification: { agrees: true } });
    await ok("owner", "offer", deployer.address);
    expect(await ok("status")).toMatchObject({ signer: { account, isMember: true } });
    const { transactions } = pushed.json();
    // Each transaction once, and at least one each to deploy, add, name, finalize and offer.
    expect(new Set(signer.signed.map((data) => data.toString("hex"))).size).toBe(signer.signed.length);
    expect(signer.signed.length).toBeGreaterThanOrEqual((transactions as readonly unknown[]).length + 5);
    const checked = await folder.cli(["doctor", "--json"], options);
    expect(checked.json()["checks"]).toContainEqual(
      expect.objectContaining({
        check: "signer",
        state: "ok",
        text: expect.stringContaining(operator.address) as string,
      }),
    );
  });
}

describe("a remote signer on EVM", () => {
  const chain = started(() => startTestChain());
  signsEverything(chain);

  const change = (address: string) => ["members", "add", address, "--json"];

  test("a process that signs has no key in its arguments and environment, and shows no login", async () => {
    const signer = await play();
    await chain.ok(["deploy", "--init-stage", "1"], { env: { VIPSCORE_REMOTE_SIGNER: urlOf(signer) } });
    let release = (): void => undefined;
    const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    // Reads the process while it waits for the signature.
    const slow = await play({ instead: () => held });
    const child = startCli([...change(addressOf(1)), "--debug"], chain.cwd, { VIPSCORE_REMOTE_SIGNER: urlOf(slow) });
    await expect.poll(() => slow.requests.length).toBeGreaterThan(1);
    const [environ = "", ...others] = await Promise.all(
      ["environ", "cmdline"].map((file) => readFile(`/proc/${child.process.pid}/${file}`, "utf8")),
    );
    release();
    expect(await child.ended).toBe(0);
    for (const text of [environ, ...others, child.output.stdout, child.output.stderr]) {
      for (const { privateKey, mnemonic } of [operator, deployer]) {
        expect(text).not.toContain(privateKey.slice(2));
        expect(text).not.toContain(mnemonic);
      }
    }
    expect(environ).toContain("VIPSCORE_REMOTE_SIGNER=");
    expect(child.output.stdout + child.output.stderr).not.toContain("Xq7zJkVw2Qxj");
  });

  test("of several keys, --signer chooses one in any spelling; without it, the error lists them", async () => {
    const signer = await play({ keys: [deployer, operator].map(({ privateKey }) => ({ privateKey })) });
    const options = { env: { VIPSCORE_REMOTE_SIGNER: urlOf(signer) } };
    const bech32 = formatBech32(parseAccount(account, { accountBytes: [20] }));
    for (const address of [operator.address, account, bech32]) {
      const { signer: chosen } = await chain.ok(["status", "--signer", address], options);
      expect(chosen).toMatchObject({ account });
    }
    for (const more of [[], ["--signer", addressOf(5)]]) {
      const result = await chain.cli([...change(addressOf(2)), ...more], options);
      expect(codeOf(result)).toBe("KEY_INVALID");
      for (const { address } of [deployer, operator]) expect(result.stderr).toContain(address);
    }
    expect(signer.signed).toHaveLength(0);
  });

  test.each<[what: string, more: Partial<Web3signerOptions>, code: string, exit: number, named: string]>([
    ["another key's signature", { instead: (data) => Buffer.concat([data, data]) }, "SIGNER_FAILED", 4, "another key"],
    [
      "a refusal",
      { instead: () => ({ status: 403, body: "no\u001b[2J such policy" }) },
      "SIGNER_FAILED",
      4,
      "such policy",
    ],
    ["another login", { login: "somebody:else" }, "SIGNER_FAILED", 4, "user:password@"],
    ["no key", { keys: [] }, "KEY_INVALID", 2, "VIPSCORE_REMOTE_SIGNER"],
  ])("%s: nothing is sent", async (_, more, code, exit, named) => {
    const sent = await chain.transactionsSent();
    const env = { VIPSCORE_REMOTE_SIGNER: urlOf(await play(more)) };
    const result = await chain.cli([...change(addressOf(3)), "--debug"], { env });
    expect(result.json()["error"]).toMatchObject({ code, exit });
    expect(result.stderr).toContain(named);
    expect(result.stderr).not.toContain("\u001b");
    expect(await chain.transactionsSent()).toBe(sent);
  });

  test("doctor finds that it does not answer, and examines the rest", async () => {
    const env = { VIPSCORE_REMOTE_SIGNER: "http://127.0.0.1:9" };
    const checked = await chain.cli(["doctor", "--json"], { env });
    expect(checked.status).toBe(3);
    const { checks } = checked.json() as { checks: readonly Record<"check" | "state" | "text", string>[] };
    const states = checks.map(({ check, state }) => `${check} ${state}`);
    expect(states.filter((each) => each.startsWith("signer"))).toEqual(["signer action"]);
    expect(states).toContain("contract ok");
    expect(checks.find(({ check }) => check === "signer")?.text).toContain("SIGNER_UNREACHABLE");
  });

  test("a signer that refuses in the middle of a push ends it; the next run writes the rest", async () => {
    await chain.write("rows.csv", csvOf(400, 7));
    await chain.ok(["members", "add", operator.address]);
    const push = ["push", "rows.csv", "--stage", "1", "--json"];
    const broken = await play({ instead: (_, earlier) => (earlier > 1 ? { status: 403, body: "" } : undefined) });
    const sent = await chain.transactionsSent();
    const refused = await chain.cli(push, { env: { VIPSCORE_REMOTE_SIGNER: urlOf(broken) } });
    expect(codeOf(refused)).toBe("SIGNER_FAILED");
    expect(await chain.transactionsSent()).toBe(sent + 1);
    const rest = await chain.cli(push, { env: { VIPSCORE_REMOTE_SIGNER: urlOf(await play()) } });
    expect(rest.json()).toMatchObject({ verification: { agrees: true, accounts: 400 } });
  });

  test.each<[what: string, args: readonly string[], env: Readonly<Record<string, string>>, named: readonly string[]]>([
    [
      "two flags",
      ["--remote-signer", "http://127.0.0.1:9", "--keystore", "key.json"],
      {},
      ["--remote-signer", "--keystore"],
    ],
    ["--signer alone", ["--signer", account], {}, ["--signer", "--remote-signer"]],
    [
      "--unsigned",
      ["--remote-signer", "http://127.0.0.1:9", "--unsigned", "x.json", "--from", account],
      {},
      ["--unsigned"],
    ],
    ["a key beside it", [], { PRIVATE_KEY: deployer.privateKey }, ["PRIVATE_KEY", "VIPSCORE_REMOTE_SIGNER"]],
    ["a mnemonic beside it", [], { MNEMONIC_KEY: deployer.mnemonic }, ["MNEMONIC", "VIPSCORE_REMOTE_SIGNER"]],
    ["no address", ["--signer", "me"], {}, ["me"]],
  ])("%s: refused", async (_, args, env, named) => {
    const remote =
      args.includes("--signer") && args.includes(account) ? {} : { VIPSCORE_REMOTE_SIGNER: "http://127.0.0.1:9" };
    const result = await chain.cli([...change(addressOf(4)), ...args], { env: { ...remote, ...env } });
    expect(result.status).toBe(2);
    for (const name of named) expect(result.stderr).toContain(name);
  });

  test("a flag is used instead of a key in the environment, a file's setting beside one is refused", async () => {
    const signer = await play();
    const env = { PRIVATE_KEY: deployer.privateKey };
    const { signer: used } = await chain.ok(["status", "--remote-signer", urlOf(signer)], { env });
    expect(used).toMatchObject({ account });
    await chain.write("remote.json", JSON.stringify({ remoteSigner: urlOf(signer) }));
    const ofFile = await chain.ok(["status", "--config", "remote.json"]);
    expect(ofFile["signer"]).toMatchObject({ account });
    expect(codeOf(await chain.cli(["status", "--config", "remote.json", "--json"], { env }))).toBe("KEY_INVALID");
  });
});

describe("a remote signer on Move, and on L1", () => {
  let l1: LocalL1;
  let folder = {} as TestFolder;
  useRollup({ vm: "move" }, async (...both) => {
    [l1, folder] = both;
    await l1.register(8n, "0x1", 0n);
    await l1.call("advance_stage");
  });
  const later: TestFolder = new Proxy({} as TestFolder, { get: (_, name) => Reflect.get(folder, name) as unknown });
  signsEverything(later);

  test("a file for L1 has the bytes that the same key signs here", async () => {
    const signer = await play();
    const write = async (out: string, env: Readonly<Record<string, string>>): Promise<unknown> => {
      await folder.ok(["operator", "commission", "0.05", "--bridge-id", "8", "--out", out, "--sign"], { env });
      return JSON.parse(await readFile(join(folder.cwd, out), "utf8")) as unknown;
    };
    const remote = await write("remote.json", { VIPSCORE_REMOTE_SIGNER: urlOf(signer) });
    expect(remote).toEqual(await write("own.json", { PRIVATE_KEY: operator.privateKey }));
    expect(signer.signed).toHaveLength(1);
  });

  test("COIN_TYPE=118 is refused", async () => {
    const signer = await play();
    const env = { VIPSCORE_REMOTE_SIGNER: urlOf(signer), COIN_TYPE: "118" };
    const result = await folder.cli(["members", "add", addressOf(1), "--json"], { env });
    expect(codeOf(result)).toBe("CONFIG_INVALID");
    expect(result.stderr).toContain("COIN_TYPE");
    expect(signer.requests).toHaveLength(0);
  });
});

// What it does on Wasm is what it does on Move.
describe.each(dailyVms.filter((vm) => vm === "wasm"))("a remote signer on %s", (vm) => {
  signsEverything(started(async () => openTestFolder(await startNode(vm))));
});

test("no output and no file shows a key or the login", () => {
  const shown = allOutput.join("\n");
  for (const secret of [operator.privateKey.slice(2), deployer.privateKey.slice(2), "Xq7zJkVw2Qxj"]) {
    expect(shown).not.toContain(secret);
  }
});
