import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { formatScores, planPush, push, stage, verifyScores, type ScoreContract } from "@vipscore/core";
import type { Mempool } from "@vipscore/localnet";
import { chooseBySeed, drawLag, drawProfile, type FaultProfile } from "../faultChoice.ts";
import { startFaultProxy, type FaultCounts, type LoggedRequest } from "../faultProxy.ts";
import type { FaultTiming } from "../playFault.ts";
import { countRewritten } from "./countRewritten.ts";
import { OtherMember, startOtherMemberProxy, type OtherMemberProxy } from "./otherMember.ts";
import { startPush, type PushEnd, type RunningPush } from "./pushCommand.ts";
import { countTo, drawRunStop, type RunStop } from "./runStop.ts";
import { drawRunTable, maxRows, runKey, type RunTable } from "./runTable.ts";
import type { SoakChain } from "./soakChain.ts";
import { judge, type JudgedPush, type Verdict } from "./verdict.ts";
import { writeAsOther } from "./writeAsOther.ts";

export interface RunReport extends Verdict {
  readonly seed: number;
  /** The node's mempool; null on EVM. */
  readonly mempool: Mempool | null;
  /** Rows of the table. */
  readonly rows: number;
  /** Faults that could be played. */
  readonly profile: FaultProfile;
  /** Faults that were played, by kind. */
  readonly faults: FaultCounts;
  readonly stop: RunStop | null;
  /** Accounts that were written more than once, including those of transactions in doubt. */
  readonly rewritten: number;
  /** Calls of another member that wrote during the push, and reads from before it; null without another member. */
  readonly others: { readonly writes: number; readonly oldReads: number } | null;
  /** The requests that were hit. */
  readonly played: readonly LoggedRequest[];
  /** The command's stderr, with faults and then without. */
  readonly stderr: readonly string[];
  readonly seconds: number;
}

export interface SoakRunOptions {
  readonly seed: number;
  /** Rows of the table. Default: drawn. */
  readonly rows?: number | undefined;
  /** True to play no fault but a node that lags ({@link drawLag}). */
  readonly isLagging?: boolean | undefined;
  /** True for another member who writes, and for reads that come from before the push ({@link startOtherMemberProxy}). */
  readonly hasOthers?: boolean | undefined;
  readonly timing: FaultTiming;
}

/** Longer than any wait of a push: 120 s for a block, 65 s for a gap in sequences, 30 s for a silent node. */
const runBoundMs = 300_000;
const stageOne = stage(1n);

/** Deploys a contract, pushes a table to it through a fault proxy, repeats a failed push without faults, and judges both. */
export async function soakRun(
  chain: SoakChain,
  { seed, rows, isLagging = false, hasOthers = false, timing }: SoakRunOptions,
): Promise<RunReport> {
  const started = performance.now();
  const runTable = drawRunTable(seed, rows);
  const { table } = runTable;
  const profile = isLagging ? drawLag(seed) : drawProfile(seed, chain.vm);
  const stop = drawRunStop(seed);
  const key = runKey(seed);
  const folder = await mkdtemp(join(tmpdir(), "vipscore-soak-"));
  const journal = join(folder, "journal.jsonl");
  try {
    const { contract, address, held } = await prepare(chain, key, runTable, hasOthers);
    const member = held === undefined ? undefined : await OtherMember.join(chain, contract, runTable, seed);
    await member?.overwrite();
    const before = new Set((await chain.readWrites(address, key)).map(({ hash }) => hash));
    await writeFile(join(folder, "scores.csv"), formatScores([table]));
    const start = (endpoint: string) =>
      startPush({ contract: address, cwd: folder, environment: chain.environment(endpoint, key), boundMs: runBoundMs });
    const withTruth = async (end: PushEnd): Promise<JudgedPush> => {
      const { heights } = end;
      if (heights === undefined) return { ...end, agrees: false, otherWrites: 0 };
      const { planned, verified } = heights;
      const { agrees } = await verifyScores(contract, stageOne, table, { height: verified });
      const others = (await member?.readHeights()) ?? [];
      return { ...end, agrees, otherWrites: others.filter((at) => at > planned && at <= verified).length };
    };

    // A larger table gets larger blocks, so that its push has as many transactions as that of the largest drawn one.
    const blockGas = chain.blockGas * BigInt(Math.max(1, Math.ceil(table.size / maxRows)));
    const proxy = member && held !== undefined ? await startOtherMemberProxy(chain, { seed, member, held }) : undefined;
    const options = { seed, profile, stop, timing, blockGas, contract, start, proxy };
    const { end, log, stopped } = await pushThroughFaults(chain, options);
    const doubts = new Set([...log.doubtfulHashes, ...(stopped ? await unsettledHashes(journal) : [])]);
    const first = await withTruth(end);
    const others = member && { writes: (await member.readHeights()).length - 1, oldReads: proxy?.oldReads() ?? 0 };
    const again = end.status === 0 ? undefined : await withTruth(await start(chain.endpoint).ended);
    const writes = (await chain.readWrites(address, key)).filter(
      ({ account, hash }) => !before.has(hash) && member?.accounts.has(account) !== true,
    );
    const stoppedBy = stopped ? stop : undefined;
    return {
      ...judge({
        first,
        again,
        stop: stoppedBy,
        faults: log.counts,
        hasOthers,
        rewritten: countRewritten(writes, doubts),
      }),
      seed,
      mempool: chain.mempool ?? null,
      rows: table.size,
      profile,
      faults: log.counts,
      stop: stoppedBy ?? null,
      rewritten: countRewritten(writes, new Set()),
      others: others ?? null,
      played: log.played,
      stderr: [first.stderr, ...(again ? [again.stderr] : [])],
      seconds: (performance.now() - started) / 1_000,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deploys a contract and writes the rows that the chain holds before the push; with others the table, which it holds at `held`. */
async function prepare(
  chain: SoakChain,
  key: Hex,
  { table, present }: RunTable,
  hasOthers: boolean,
): Promise<{ readonly contract: ScoreContract; readonly address: string; readonly held: bigint | undefined }> {
  const address = await chain.deploy(key);
  const contract = await chain.connect(address, key);
  const plan = await planPush(contract, stageOne, hasOthers ? table : present);
  for await (const event of push(contract, plan)) if (event.type === "verified") break;
  return { contract, address, held: hasOthers ? await contract.getHeight() : undefined };
}

interface FaultyPush {
  readonly seed: number;
  readonly profile: FaultProfile;
  readonly stop: RunStop | undefined;
  readonly timing: FaultTiming;
  /** Gas of a block as shown to the command. */
  readonly blockGas: bigint;
  /** The contract with the push's signer, without a proxy. */
  readonly contract: ScoreContract;
  readonly start: (endpoint: string) => RunningPush;
  /** Where another member writes; undefined without one. */
  readonly proxy: OtherMemberProxy | undefined;
}

/** Runs a push through a proxy with faults, and stops it on the way if the run has a stop. */
async function pushThroughFaults(
  chain: SoakChain,
  { seed, profile, stop, timing, blockGas, contract, start, proxy: others }: FaultyPush,
) {
  const lagMs = profile.lagMs ?? (profile.kinds.includes("staleRead") ? timing.lagMs : undefined);
  const stale = lagMs === undefined ? undefined : await chain.startStale(lagMs);
  const isTime = stop === undefined ? () => false : countTo(stop);
  let stopped = false;
  const proxy = await startFaultProxy({
    upstreamUrl: profile.lagMs === undefined || stale === undefined ? (others?.url ?? chain.endpoint) : stale.url,
    ...(stale && { staleUrl: stale.url }),
    protocol: chain.protocol,
    choose: chooseBySeed(seed, profile),
    timing,
    blockGas,
    writeAsOther: () => writeAsOther(contract),
    ...(chain.jumpBaseFee && { jumpBaseFee: chain.jumpBaseFee }),
    onRequest: (request) => {
      if (stop === undefined || !isTime(request)) return;
      stopped = true;
      running.kill(stop.signal);
    },
  });
  const running = start(proxy.url);
  try {
    // `stopped` is true also if the push had ended before the signal.
    return { end: await running.ended, log: proxy.log, stopped };
  } finally {
    await proxy.close();
    await stale?.close();
    await others?.close();
  }
}

/** Returns the hashes of the transactions that a journal records as sent but not as settled. */
async function unsettledHashes(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const unsettled = new Set<string>();
  // A last line without a line feed was still being written, so its transaction was never sent.
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  for (const line of lines) {
    const { sent, settled } = JSON.parse(line) as {
      readonly sent?: { readonly hash: string };
      readonly settled?: { readonly hash: string };
    };
    if (sent !== undefined) unsettled.add(sent.hash);
    if (settled !== undefined) unsettled.delete(settled.hash);
  }
  return [...unsettled];
}
