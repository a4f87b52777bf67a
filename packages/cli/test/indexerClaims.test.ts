import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAccount, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { testAccounts } from "@vipscore/localnet";
import { isLong } from "@vipscore/testkit/isLong";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { until } from "@vipscore/testkit/until";
import { addressOf, csvOf, type JsonObject, type TestFolder } from "./harness.ts";
import { setStage, u64, useRollup, type LocalL1 } from "./localL1.ts";
import { broadcastFile } from "./proposalL1.ts";
import { read, serving } from "./servingIndexer.ts";

const { deployer } = testAccounts;
const bridgeId = 8n;
const rowCount = isLong ? 100_000 : 300;

interface Claims {
  readonly l1: JsonObject;
  readonly registrations: readonly [Registration];
}

interface Registration {
  readonly version: string;
  readonly last_claimed_stage: string | null;
  /** The newest first. */
  readonly stages: readonly ServedStage[];
  readonly claim: ServedClaim | null;
  readonly waits_for: string | null;
}

interface ServedStage {
  readonly stage: string;
  readonly status: string;
  readonly score: string;
  readonly root: string;
  readonly proof: readonly string[];
  readonly reward: string;
}

interface ServedClaim {
  readonly stages: readonly string[];
  readonly pays: string;
  readonly loses: string;
  readonly opens: string;
  readonly transaction: Transaction;
}

interface Transaction {
  readonly body: { readonly messages: readonly object[] };
}

interface Reward {
  readonly paid: string;
  readonly lost: string;
  readonly reward: string;
}

/** A proof file, as `snapshot --out` writes it. */
interface Proofs {
  readonly root: string;
  readonly leaves: readonly { readonly address: string; readonly score: string; readonly proof: readonly string[] }[];
}

/** The types of Initia's wallet kit (its `data/initia-vip.ts`), each field with what the kit does with it. */
const isPosition = (value: JsonObject): boolean =>
  ["bridge_id", "version", "claimable_reward", "claimed_reward", "locked_reward", "initial_reward", "start_stage"]
    .concat("end_stage", "total_score", "user_score", "minimum_score")
    .every((field) => Number.isSafeInteger(value[field])) &&
  typeof value["claimed"] === "boolean" &&
  !Number.isNaN(Date.parse(value["start_time"] as string)) &&
  (value["merkle_proofs"] as readonly unknown[]).every((proof) => typeof proof === "string");

/** What the kit shows of a wallet: its sums, for bridges with a reward. */
function shownByWallet(positions: readonly JsonObject[]) {
  return positions
    .filter((each) => (each["total_vesting_reward"] as number) > 0 && (each["data"] as readonly unknown[]).length > 0)
    .map((each) => {
      const data = each["data"] as readonly JsonObject[];
      expect(data.filter((row) => !isPosition(row))).toEqual([]);
      return {
        bridgeId: data[0]?.["bridge_id"],
        claimable: each["total_claimable_reward"],
        claimed: data.reduce((sum, row) => sum + (row["claimed_reward"] as number), 0),
        initial: each["total_vesting_reward"],
        locked: each["total_locked_reward"],
        required: each["required_score"],
      };
    });
}

describe.each(vms)("%s", (vm: Vm) => {
  let l1: LocalL1;
  let folder: TestFolder;
  useRollup({ vm }, async (...started) => {
    [l1, folder] = started;
    await setStage(l1, 1n);
    // A vesting of four stages, no challenge period and no minimum of the bridge.
    await l1.call("set_parameters", ...[86_400n, 4n, 0n, 0n].map(u64));
    const contract = await folder.deploy(2);
    await l1.register(bridgeId, contract, { move: 0n, wasm: 1n, evm: 2n }[vm]);
    await l1.call("advance_stage");
  });

  const user = parseAccount(deployer.address, { accountBytes: [20] });
  const csv = (ownScore: number): string => `${csvOf(rowCount)}${user},${ownScore}\n`;

  /** Scores the current stage, ends it, and submits its snapshot as VIP's agent does, by another implementation of the tree. */
  async function endStage(stage: bigint, ownScore: number, push: readonly string[] = []): Promise<void> {
    const file = `scores${stage}.csv`;
    await folder.write(file, csv(ownScore));
    await folder.ok(["push", file, "--stage", `${stage}`, ...push]);
    await l1.call("advance_stage");
    await folder.ok(["finalize", "--stage", `${stage}`, "--file", file, "--yes"]);
    const { scores, total } = await folder.ok(["export", "--stage", `${stage}`]);
    const exported = scores as unknown as readonly { readonly address: string; readonly score: string }[];
    const rows = exported.map(({ address, score }) => ({
      account: parseAccount(address, { accountBytes: [20] }),
      score: BigInt(score),
    }));
    await l1.submit(bridgeId, stage, naiveRoot({ bridgeId, stage, rows }) ?? "", BigInt(total as string));
  }

  /** The claims of an account once they are as wanted. */
  const claimsOf = (url: string, account: string, what: string, isWanted: (found: Registration) => boolean) =>
    until(what, async () => {
      const found = (await read(url, `accounts/${account}/claims`)) as Claims | undefined;
      return found && isWanted(found.registrations[0]) ? found.registrations[0] : undefined;
    });

  const claim = async (files: readonly string[], out: string, ...more: readonly string[]) => {
    const args = ["claim", "--address", deployer.address, "--proofs", ...files, "--out", out, ...more, "--json"];
    const result = await folder.cli(args, { env: { MNEMONIC: deployer.mnemonic } });
    expect(result.stderr).not.toMatch(/^error/m);
    const { body } = JSON.parse(await readFile(join(folder.cwd, out), "utf8")) as Transaction;
    return { messages: body.messages, rewards: result.json()["rewards"] as unknown as readonly Reward[] };
  };

  test("what accounts can claim is served as snapshot and claim compute it", async () => {
    await endStage(2n, 500);
    const result = await serving(folder, ["--scores", "--no-nfts", "--bridge-id", `${bridgeId}`], async (url) => {
      await endStage(3n, 100, ["--packed"]);
      const first = await claimsOf(url, user, "both stages", ({ claim: next }) => next?.stages.length === 2);
      const files = ["2.json", "3.json"];
      for (const stage of ["2", "3"]) {
        await folder.ok(["snapshot", "--stage", stage, "--out", `${stage}.json`, "--bridge-id", `${bridgeId}`]);
        const { root, leaves } = JSON.parse(await readFile(join(folder.cwd, `${stage}.json`), "utf8")) as Proofs;
        expect(await read(url, `stages/${stage}`)).toMatchObject({ root, l1: { root, matches: true, version: "1" } });
        for (const { address, score, proof } of leaves.filter(
          (_, leaf) => leaf % Math.ceil(leaves.length / 60) === 0,
        )) {
          const served = await claimsOf(url, address, "its claims", () => true);
          expect(served.stages.find((each) => each.stage === stage)).toMatchObject({ root, score, proof });
        }
      }
      const both = await claim(files, "both.json");
      const sum = (of: keyof Reward): string =>
        String(both.rewards.reduce((total, each) => total + BigInt(each[of]), 0n));
      expect(first.claim).toMatchObject({ pays: sum("paid"), loses: sum("lost"), opens: sum("reward") });
      expect(first.claim?.transaction.body.messages).toEqual(both.messages);
      expect(BigInt(first.claim?.loses ?? 0)).toBeGreaterThan(0n);

      await claim(files, "first.json", "--stages", "2", "--sign");
      expect(await broadcastFile(l1, folder.cwd, "first.json")).toBe("");
      const second = await claimsOf(url, user, "the claim", (found) => found.last_claimed_stage === "2");
      expect(second.stages.map(({ stage, status }) => [stage, status])).toEqual([
        ["3", "open"],
        ["2", "claimed"],
      ]);
      const next = await claim(["3.json"], "next.json");
      expect(second.claim?.transaction.body.messages).toEqual(next.messages);
      expect(second.claim).toMatchObject({ pays: next.rewards[0]?.paid, loses: next.rewards[0]?.lost });
      const positions = await fetch(`${url}/vesting/positions/${deployer.address}`);
      expect(shownByWallet((await positions.json()) as readonly JsonObject[])).toEqual([
        {
          bridgeId: Number(bridgeId),
          claimable: Number(next.rewards[0]?.paid),
          claimed: 0,
          initial: second.stages.reduce((total, { reward }) => total + Number(reward), 0),
          locked:
            second.stages.reduce((total, { reward }) => total + Number(reward), 0) - Number(next.rewards[0]?.paid),
          required: 250,
        },
      ]);

      // Nobody claims from a snapshot that is not the contract's.
      await folder.ok(["push", "scores3.csv", "--stage", "4"]);
      await l1.call("advance_stage");
      await folder.ok(["finalize", "--stage", "4", "--file", "scores3.csv", "--yes"]);
      await l1.submit(bridgeId, 4n, "ab".repeat(32), 1n);
      const wrong = await claimsOf(url, user, "the wrong snapshot", ({ stages }) => stages[0]?.status === "differs");
      expect(wrong.claim).toMatchObject({ stages: ["3"] });
      expect(wrong.waits_for).toMatch(/\bstage 4\b/);
      await until("its stage", async () => (await read(url, "stages/4"))?.["l1"] ?? undefined);
      expect(await read(url, "stages/4")).toMatchObject({ l1: { matches: false } });
    });
    expect(result.stderr).not.toMatch(/^error/m);
    expect(result.status).toBe(0);

    // Another process, which only serves: the database says which bridge it is.
    await serving(folder, ["--api-only"], async (url) => {
      const again = await claimsOf(url, user, "the same claims", ({ stages }) => stages.length === 3);
      expect(again.claim).toMatchObject({ stages: ["3"] });
      const stranger = await claimsOf(url, addressOf(0xdddd), "an account without scores", () => true);
      expect(stranger.claim).toBeNull();
      await l1[Symbol.asyncDispose]();
      const answer = await fetch(`${url}/scores/v1/accounts/${addressOf(0xeeee)}/claims`);
      expect(answer.status).toBe(503);
      expect(await read(url, "stages/2")).toMatchObject({ l1: { matches: true } });
    });
  });
});
