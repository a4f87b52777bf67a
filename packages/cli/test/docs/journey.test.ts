import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32 } from "@vipscore/core";
import { readNodeFile, type L1Endpoint } from "@vipscore/core/nodeFile";
import { readBridgeInfo, readFundedRewards, readVipStage } from "@vipscore/l1";
import { testAccounts } from "@vipscore/localnet";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { SoftwareDevice } from "@vipscore/testkit/softwareDevice";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { until } from "@vipscore/testkit/until";
import { blocksOf, readGuide, type GuideCommand } from "../guide.ts";
import { csvOf, runCli, type CliResult, type JsonObject } from "../harness.ts";
import { connectL1, u64 } from "../localL1.ts";
import { outcomeOf } from "../proposalL1.ts";

const { deployer, operator } = testAccounts;
const variables = {
  FINALIZER: operator.address,
  L1_RPC: "http://127.0.0.1:26657",
  USER_ADDRESS: deployer.address,
};
const markdown = await readFile(new URL("../../../../docs/operator.md", import.meta.url), "utf8");
const sections = readGuide(markdown, variables);

/** The bridge of a local rollup. */
const bridgeId = 1n;

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const ended = new AbortController();
  const cwd = temporaryFolder();
  let node: Promise<CliResult>;
  let endpoint: L1Endpoint;
  let started: number;
  const times: string[] = [];
  beforeAll(async () => {
    started = performance.now();
    process.chdir(cwd);
    node = runCli(["node", "--vm", vm, "--l1", "--port", "0"], cwd, { signal: ended.signal });
    const file = await until("the local node", () => readNodeFile(cwd));
    if (file.l1 === undefined) throw new Error("the node runs without L1");
    endpoint = file.l1;
    await writeFile(join(cwd, "scores.csv"), `${csvOf(999)}${deployer.address},250\n`);
  });
  afterAll(async () => {
    process.stdout.write(`${vm}: ${seconds(started)} from an empty folder to the report\n${times.join("\n")}\n`);
    ended.abort();
    await node;
  });

  const inJson = async (args: readonly string[]): Promise<JsonObject> =>
    (await runCli([...args, "--json"], cwd)).json();

  /** Steps that others take before a section, or before one of its commands. */
  const others: Readonly<Record<string, () => Promise<void>>> = {
    "4. Apply for VIP": writeProposal,
    "vipscore practice snapshot # practice only": async () =>
      expect(await inJson(["snapshot", "--stage", "2"])).toMatchObject({ l1: { status: "notThereYet" } }),
  };

  /** Fills in the settings of the guide: the accounts and the contract of this rollup. */
  async function writeProposal(): Promise<void> {
    const text = blocksOf(markdown, "json")[0] ?? "{}";
    const { contract } = await inJson(["status"]);
    const { address } = contract as { readonly address: string };
    const { restUrl = "" } = (await readNodeFile(cwd)) ?? {};
    const bridge = await readBridgeInfo({ rollupRestUrl: restUrl });
    const own = {
      bridgeAddress: formatBech32(bridge?.bridgeAddress ?? expect.fail("the rollup names no bridge")),
      proposer: deployer.address,
      operator: operator.address,
      contract: address,
      deposit: "10000000umin",
    };
    await writeFile(join(cwd, "proposal.json"), JSON.stringify({ ...(JSON.parse(text) as object), ...own }));
  }

  /** The root of the stage by another implementation, from the scores on the rollup. */
  async function naiveRootOf(stage: bigint): Promise<string | undefined> {
    const { scores } = await inJson(["export", "--stage", `${stage}`]);
    const read = scores as unknown as readonly { readonly address: string; readonly score: string }[];
    const rows = read.map(({ address, score }) => ({ account: address, score: BigInt(score) }));
    return naiveRoot({ bridgeId, stage, rows });
  }

  test.each(sections)("$title", async ({ title, commands }) => {
    await others[title]?.();
    for (const command of commands) {
      const { line, status, stdoutFile } = command;
      await others[line]?.();
      const begun = performance.now();
      const result = await run(command);
      times.push(`  ${seconds(begun)}  ${line}`);
      // The error is in the comparison to be shown when the status is another.
      expect({ line, status: result.status, error: result.status === status ? "" : result.stderr }).toEqual({
        line,
        status,
        error: "",
      });
      for (const expected of says[line] ?? []) expect(result.stdout).toMatch(expected);
      if (stdoutFile !== undefined) await writeFile(join(cwd, stdoutFile), result.stdout);
    }
  });

  /** Runs a command as a person at a terminal, who types the stage when asked, with a device plugged in. */
  function run({ program, args, stdoutFile }: GuideCommand): Promise<Ended> {
    // The third word is the file, as in `initiad tx broadcast FILE`.
    if (program === "initiad") return broadcast(args[2] ?? "");
    const device = new SoftwareDevice({ app: "ethereum", key: { mnemonic: operator.mnemonic } });
    return runCli(args, cwd, {
      env: { NO_COLOR: "1" },
      openDevice: () => device.open(),
      ...(stdoutFile === undefined ? { typed: "2\n" } : {}),
    });
  }

  /** Sends a file as somebody who practices does, and waits until L1 has voted. */
  async function broadcast(file: string): Promise<Ended> {
    const { status, stdout, stderr } = await runCli(["practice", "send", file], cwd);
    return { status, stdout: `${stdout}${(await outcomeOf({ endpoint }, 1)).status}`, stderr };
  }

  test("what goes wrong later: a price that moves, a removed snapshot, a low average, a registration that ends", async () => {
    const { chainId } = await readVipStage({ l1RestUrl: endpoint.restUrl, vipAddress: endpoint.vipAddress });
    const l1 = connectL1(endpoint, chainId);
    const runWith = async (env: Record<string, string>, args: readonly string[]): Promise<CliResult> => {
      const result = await runCli(args, cwd, { env });
      expect({ args, error: result.status === 0 ? "" : result.stderr }).toEqual({ args, error: "" });
      return result;
    };
    const ok = (...args: readonly string[]): Promise<CliResult> => runWith({}, args);
    const asOperator = (...args: readonly string[]): Promise<CliResult> =>
      runWith({ MNEMONIC: operator.mnemonic }, args);
    const finding = async (check: string): Promise<Finding> => {
      const { checks } = await inJson(["doctor"]);
      return (checks as unknown as readonly Finding[]).find((found) => found.check === check) ?? expect.fail(check);
    };

    await asOperator("operator", "commission", "0.06", "--bridge-id", "1", "--out", "low.json", "--sign");
    await l1.call("set_base_gas_price", u64(150_000n));
    const late = await runCli(["practice", "send", "low.json", "--json"], cwd);
    expect(late.json()["error"]).toMatchObject({ code: "TRANSACTION_FAILED" });
    await asOperator("operator", "commission", "0.06", "--bridge-id", "1", "--out", "high.json", "--sign");
    await ok("practice", "send", "high.json");

    await ok("push", "scores.csv", "--stage", "3");
    await ok("practice", "stage");
    await asOperator("finalize", "--stage", "3", "--file", "scores.csv", "--yes");
    await ok("practice", "snapshot");
    await l1.call("set_parameters", ...[1_209_600n, 26n, 86_400n, 600n].map(u64));
    await l1.govern("execute_rollup_challenge", u64(bridgeId), u64(2n));
    expect(await finding("snapshot")).toMatchObject({
      state: "action",
      text: expect.stringMatching(/\bstage 2\b.*\bstage 3\b/),
    });
    await ok("practice", "snapshot");
    expect((await finding("snapshot")).text).not.toMatch(/\bstage 2\b/);

    const bridge = await readBridgeInfo({ rollupRestUrl: (await readNodeFile(cwd))?.restUrl ?? "" });
    await l1.pay(formatBech32(bridge?.bridgeAddress ?? expect.fail("the rollup names no bridge")), 610n);
    const low = await finding("rewards");
    expect(low).toMatchObject({
      state: "action",
      text: expect.stringMatching(/\b610 umin\b.*\b0 umin\b.*\bstage 4\b.*\b600 umin\b/),
    });

    await l1.govern("deregister", u64(bridgeId));
    const again = await ok("proposal", "register", "--settings", "proposal.json", "--out", "again.json");
    expect(again.stderr).toMatch(/\bstage 4\b.*\bscores\b.*\bStage 4\b.*\bstage 5\b/);
    await l1.call("set_parameters", ...[1_209_600n, 26n, 0n, 0n].map(u64));
  });

  test("what is left of it", async () => {
    const { l1: found } = await inJson(["snapshot", "--stage", "2"]);
    expect(found).toMatchObject({ status: "matches", snapshot: { root: await naiveRootOf(2n) } });
    // The bridge holds nothing, so what the stage was funded with is by the weight of the votes.
    const { restUrl: l1RestUrl, vipAddress } = endpoint;
    const [funded] = await readFundedRewards({ l1RestUrl, vipAddress, bridgeId, stages: [2n] });
    expect(funded?.users).toBeGreaterThan(0n);
    const { stages } = await inJson(["status"]);
    expect(stages).toMatchObject([
      { stage: "2", isFinalized: true, accounts: 1000 },
      { stage: "3", isFinalized: true, accounts: 1000 },
      { stage: "4", isFinalized: false },
    ]);
    expect(await readFile(join(cwd, "report.html"), "utf8")).toContain('<p class="good">L1: ');
    ended.abort();
    expect((await node).status).toBe(0);
  });
});

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly text: string;
}

type Ended = Pick<CliResult, "status" | "stdout" | "stderr">;

/** Output that a command must have, beside its exit status. */
const says: Readonly<Record<string, readonly RegExp[]>> = {
  "initiad tx broadcast register.json --node $L1_RPC": [/^sent .*\nPROPOSAL_STATUS_PASSED$/],
  "vipscore doctor # exit status 3": [/✗/],
  "vipscore finalize --stage 2 --file scores.csv --ledger": [/\b[0-9a-f]{64}\b/i],
  "vipscore snapshot --stage 2": [/\b[0-9a-f]{64}\b/],
  // The status, which the guide names.
  "vipscore snapshot --stage 2 --out proofs.json": [/\bmatches\b/],
  "vipscore operator claim --bridge-id 1 --out commission.json --sign --ledger": [
    /^0x[0-9a-f]+::vip::batch_claim_operator_reward_script /m,
  ],
  [`vipscore claim --proofs proofs.json --address $USER_ADDRESS --out claim.json`]: [
    /^0x[0-9a-f]+::vip::batch_claim_user_reward_script /m,
  ],
  "vipscore verify-proof proofs.json": [/\b1,000 proofs\b/, /\bmatches\b/],
};

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1).padStart(5)} s`;
}
