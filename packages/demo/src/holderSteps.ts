import { setTimeout as delay } from "node:timers/promises";
import { count, group, shortDigest } from "@vipscore/core/values";
import { answerOf, type ChildResult, type PushAnswer, type VerifyAnswer } from "./childCli.ts";
import { expectThat, type DemoReport } from "./demoReport.ts";
import type { MintedNfts } from "./mintNfts.ts";

/** The context of the steps. */
export interface HolderScene {
  /** Runs `vipscore` in its own process. */
  readonly cli: (args: readonly string[]) => Promise<ChildResult>;
  readonly mint: () => Promise<MintedNfts>;
  /** Base URL of the indexer that follows the chain. */
  readonly indexerUrl: string;
}

/** Points per token. */
const weight = 100;
/** Maximum time for the indexer to reach the newest block. */
const indexingBoundMs = 120_000;

/** From tokens on the chain to scores on the chain: mint, index, score, push to stage 2, verify. */
export async function showHolderSteps(report: DemoReport, { cli, mint, indexerUrl }: HolderScene): Promise<void> {
  let minted: MintedNfts | undefined;
  await report.run("mint NFTs", async () => {
    minted = await mint();
    const tokens = sum(minted.held);
    return `${group(tokens)} tokens of ${group(minted.held.size)} owners, one of them a contract`;
  });
  if (minted === undefined) return;
  const { collection, held, height } = minted;
  await report.run("index them", async () => {
    const reached = await waitForHeight(indexerUrl, height);
    return `the indexer has read up to block ${group(reached)}`;
  });
  await report.run("score the holders", async () => {
    const args = ["--collection", collection, "--weight", String(weight), "--without-contracts"];
    const running = cli(["score", "holders", ...args, "--out", "holders.csv", "--json"]);
    const { accounts } = await answerOf<{ accounts: number }>(running);
    expectThat(accounts === held.size - 1, "the file does not have one row per person");
    return `${group(held.size - 1)} accounts at ${weight} per token, the contract left out`;
  });
  await report.run("push their scores", async () => {
    const { transactions } = await answerOf<PushAnswer>(cli(["push", "holders.csv", "--stage", "2", "--json"]));
    expectThat(transactions.length > 0, "push sent no transactions");
    return `to stage 2, in ${count(transactions.length, "transaction")}`;
  });
  await report.run("verify them", async () => {
    const running = cli(["verify", "holders.csv", "--stage", "2", "--json"]);
    const { total, sha256 } = (await answerOf<VerifyAnswer>(running)).verification;
    const expected = (sum(held) - 1) * weight;
    expectThat(total.contract === String(expected), `the chain's total is ${total.contract} instead of ${expected}`);
    return `the chain's total ${group(expected)} is ${weight} for each token, sha256 ${shortDigest(sha256.chain)}`;
  });
}

async function waitForHeight(indexerUrl: string, height: number): Promise<number> {
  const deadline = performance.now() + indexingBoundMs;
  for (;;) {
    const response = await fetch(`${indexerUrl}/status`);
    const { height: reached } = (await response.json()) as { readonly height: number };
    if (reached >= height) return reached;
    expectThat(performance.now() < deadline, `the indexer is at block ${reached} and not at ${height}`);
    await delay(50);
  }
}

function sum(held: ReadonlyMap<string, number>): number {
  return [...held.values()].reduce((total, tokens) => total + tokens, 0);
}
