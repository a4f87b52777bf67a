import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount, type Vm } from "@vipscore/core";
import { startHardhat, startVipnode, testAccounts, type CosmosNode, type LocalNode } from "@vipscore/localnet";
import { contractVersion } from "@vipscore/testkit/contractVersion";
import { handsOver, startActingProxy } from "@vipscore/testkit/startProxy";
import { addressOf, openTestFolder, type CliOptions, type JsonObject, type TestFolder } from "./harness.ts";

const deployer = testAccounts.deployer.address.toLowerCase();
const operator = testAccounts.operator.address.toLowerCase();
/** On a local node, commands sign with the deployer's key by default. */
const byOperator: CliOptions = { env: { MNEMONIC: testAccounts.operator.mnemonic } };

interface Chain {
  readonly vm: Vm;
  readonly start: () => Promise<{ readonly node: LocalNode; readonly url: string }>;
  /** Options of a deployment that offers ownership. */
  readonly handOver: readonly string[];
  /** The account that may replace the code of a contract deployed without options. */
  readonly codeAdmin: string | null;
}

const startCosmos = async (vm: "move" | "wasm", url: (node: CosmosNode) => string) => {
  const node = await startVipnode({ vm });
  return { node, url: url(node) };
};

const chains: readonly Chain[] = [
  {
    vm: "evm",
    start: async () => {
      const node = await startHardhat();
      return { node, url: node.rpcUrl };
    },
    handOver: [],
    codeAdmin: null,
  },
  {
    vm: "move",
    start: () => startCosmos("move", ({ restUrl }) => restUrl),
    handOver: ["--upgrade-policy", "compatible"],
    codeAdmin: deployer,
  },
  {
    vm: "wasm",
    start: () => startCosmos("wasm", ({ rpcUrl }) => rpcUrl),
    handOver: ["--admin", deployer],
    codeAdmin: deployer,
  },
];

function csv(...scores: readonly number[]): string {
  return `address,score\n${scores.map((score, index) => `${addressOf(0xabc001 + index)},${score}\n`).join("")}`;
}

describe.each(chains)("$vm", ({ vm, start, handOver, codeAdmin }) => {
  let folder: TestFolder;
  let url: string;
  beforeAll(async () => {
    const started = await start();
    ({ url } = started);
    folder = await openTestFolder(started.node);
    await folder.write("scores.csv", csv(10, 20, 30));
    await folder.write("swapped.csv", csv(20, 10, 30));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  const refusal = async (args: readonly string[], options?: CliOptions): Promise<JsonObject> => {
    const result = await folder.cli([...args, "--json"], options);
    return { status: result.status, code: (result.json()["error"] as JsonObject)["code"] ?? null };
  };
  const finalizeArgs = ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"];

  test("deploys with a finalizer, and shows who can change what", async () => {
    const deployed = await folder.ok(["deploy", "--init-stage", "1", "--member", operator, "--finalizer", operator]);
    expect(deployed).toMatchObject({ version: contractVersion, finalizer: operator, owner: deployer });
    expect(await folder.ok(["status"])).toMatchObject({
      of: "contract",
      stages: [{ stage: "1", revision: "0" }],
      control: { owner: deployer, pendingOwner: null, finalizer: operator, othersManage: true, codeAdmin },
      signer: { isMember: true, mayFinalize: false },
    });
    const text = (await folder.cli(["status"])).stdout;
    // As the tools of the VM spell it.
    const shown = vm === "wasm" ? formatBech32(parseAccount(operator, { accountBytes: [20] })) : operator;
    expect(text).toMatch(new RegExp(`^finalizer +${shown}\\b`, "im"));
  });

  test("--packed: the dry run shows both prices, the push is verified as usual", async () => {
    const plan = (await folder.ok(["push", "scores.csv", "--stage", "1", "--packed", "--dry-run"]))["plan"];
    expect(plan).toMatchObject({ packed: true, otherEntryPoint: { packed: false } });
    for (const file of ["scores.csv", "swapped.csv", "scores.csv"]) {
      const pushed = await folder.ok(["push", file, "--stage", "1", "--packed"]);
      expect(pushed).toMatchObject({ verification: { agrees: true, accounts: 3 } });
    }
    // Known accounts: new ones cost the same both ways on EVM, and then no price is shown.
    const dry = await folder.cli(["push", "swapped.csv", "--stage", "1", "--dry-run"]);
    expect(dry.stdout).toMatch(/--packed\b.* [\d.,]+ .* [\d.,]+ .*\bUpdateScore\b/);
    // On EVM the published entry point registers new accounts.
    expect(await folder.ok(["status"])).toMatchObject({ stages: [{ revision: "3" }] });
  });

  test("only the finalizer can finalize", async () => {
    expect(await refusal(finalizeArgs)).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    expect(await folder.ok(["status"])).toMatchObject({ stages: [{ stage: "1", isFinalized: false }] });
  });

  test("a member that swaps scores between verification and block makes the finalize fail", async () => {
    const proxy = await startActingProxy(url, handsOver, async () => {
      expect(await folder.ok(["push", "swapped.csv", "--stage", "1"])).toMatchObject({
        verification: { agrees: true },
      });
    });
    try {
      const throughProxy = [...finalizeArgs, "--endpoint", proxy.url];
      expect(await refusal(throughProxy, byOperator)).toEqual({ status: 3, code: "FINALIZE_MISMATCH" });
    } finally {
      await proxy.close();
    }
    expect(await folder.ok(["status"])).toMatchObject({ stages: [{ isFinalized: false, total: "60", revision: "4" }] });
    await folder.ok(["push", "scores.csv", "--stage", "1"]);
    const finalized = await folder.ok(finalizeArgs, byOperator);
    expect(finalized).toMatchObject({ verification: { agrees: true, isFinalized: true, revision: "5" } });
  });

  test("only the owner can name another finalizer, or any member", async () => {
    expect(await refusal(["members", "finalizer", "any"], byOperator)).toEqual({
      status: 3,
      code: "PERMISSION_DENIED",
    });
    expect(await folder.ok(["members", "finalizer", "any"])).toMatchObject({ finalizer: null });
    expect(await folder.ok(["members", "finalizer", "any"])).toMatchObject({ transaction: null });
    expect(await folder.ok(["status"])).toMatchObject({ control: { finalizer: null }, signer: { mayFinalize: true } });
    expect((await folder.cli(["status"])).stdout).toMatch(/^finalizer +(?!.*(0x|init1))/m);
  });

  test("the owner replaces all members", async () => {
    expect(await refusal(["members", "set", operator], byOperator)).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    const stranger = addressOf(0x5555);
    expect(await folder.ok(["members", "set", stranger, deployer, stranger])).toMatchObject({
      command: "members set",
      members: [stranger, deployer],
      transaction: { hash: expect.stringMatching(/./) as string },
    });
    expect([...((await folder.ok(["members", "list"]))["members"] as readonly string[])].sort()).toEqual(
      [stranger, deployer].sort(),
    );
    await folder.ok(["members", "finalizer", operator]);
    // The account whose key signs now must be a member only if it has no other role.
    const signerOf = async (key: CliOptions): Promise<unknown> => {
      const doctor = (await folder.cli(["doctor", "--json"], key)).json();
      return (doctor["checks"] as readonly JsonObject[]).find(({ check }) => check === "signer");
    };
    await folder.ok(["members", "set", stranger]);
    expect(await signerOf({})).toMatchObject({ state: "ok", text: expect.stringContaining("owner") as string });
    expect(await signerOf(byOperator)).toMatchObject({
      state: "ok",
      text: expect.stringContaining("finalizes") as string,
    });
    await folder.ok(["members", "finalizer", "any"]);
    expect(await signerOf(byOperator)).toMatchObject({ state: "action" });
    await folder.ok(["members", "set", deployer, operator]);
  });

  test("ownership is transferred in two steps, and the old key can lose all rights", async () => {
    expect(await refusal(["owner", "accept"], byOperator)).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    expect(await refusal(["owner", "offer", operator], byOperator)).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    await folder.ok(["owner", "offer", operator]);
    expect(await folder.ok(["status"])).toMatchObject({ control: { owner: deployer, pendingOwner: operator } });
    await folder.ok(["owner", "accept"], byOperator);
    expect(await folder.ok(["status"])).toMatchObject({ control: { owner: operator, pendingOwner: null } });
    expect(await refusal(["members", "manage", "off"])).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    await folder.ok(["members", "manage", "off"], byOperator);
    expect(await refusal(["members", "remove", operator])).toEqual({ status: 3, code: "PERMISSION_DENIED" });
    await folder.ok(["members", "remove", deployer], byOperator);
    expect(await folder.ok(["status"])).toMatchObject({
      members: [operator],
      control: { owner: operator, othersManage: false },
      signer: { isMember: false, mayFinalize: false },
    });
    await folder.ok(["members", "manage", "on"], byOperator);
    expect(await refusal(["members", "manage", "sometimes"], byOperator)).toEqual({ status: 2, code: "INPUT_INVALID" });
  });

  test("a deployment that offers ownership warns of the old key's remaining rights", async () => {
    const args = ["deploy", "--init-stage", "1", "--owner", deployer];
    if (vm !== "evm") expect(await refusal(args, byOperator)).toEqual({ status: 2, code: "INPUT_INVALID" });
    const deployed = await folder.cli([...args, ...handOver], byOperator);
    expect(deployed).toMatchObject({ status: 0 });
    expect(deployed.stdout).toContain("`vipscore owner accept`");
    if (vm === "move")
      expect(deployed.stderr).toMatch(/\bvipscore deploy --init-stage \d+ --upgrade-policy immutable\b/);
  });
});
