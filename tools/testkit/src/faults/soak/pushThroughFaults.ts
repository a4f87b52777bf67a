import type { ScoreContract } from "@vipscore/core";
import { chooseBySeed, type FaultProfile } from "../faultChoice.ts";
import { startFaultProxy, type FaultLog } from "../faultProxy.ts";
import type { FaultTiming } from "../playFault.ts";
import type { PushEnd, RunningPush } from "./pushCommand.ts";
import { countTo, type RunStop } from "./runStop.ts";
import type { SoakChain } from "./soakChain.ts";
import { writeAsOther } from "./writeAsOther.ts";

export interface FaultyPushOptions {
  readonly seed: number;
  readonly profile: FaultProfile;
  readonly stop: RunStop | undefined;
  readonly timing: FaultTiming;
  /** Gas of a block as shown to the command. */
  readonly blockGas: bigint;
  /** The contract with the push's signer, without a proxy. */
  readonly contract: ScoreContract;
  readonly start: (endpoint: string) => RunningPush;
}

/** A push that has ended, and the faults played on it. */
export interface FaultyPush {
  readonly end: PushEnd;
  readonly log: FaultLog;
  /** True if the signal was sent, even if the push had already ended. */
  readonly stopped: boolean;
}

/** Runs a push through a proxy with faults, and stops it on the way if the run has a stop. */
export async function pushThroughFaults(
  chain: SoakChain,
  { seed, profile, stop, timing, blockGas, contract, start }: FaultyPushOptions,
): Promise<FaultyPush> {
  const stale = profile.kinds.includes("staleRead") ? await chain.startStale(timing.lagMs) : undefined;
  const isTime = stop === undefined ? () => false : countTo(stop);
  let stopped = false;
  const proxy = await startFaultProxy({
    upstreamUrl: chain.endpoint,
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
      push.kill(stop.signal);
    },
  });
  const push = start(proxy.url);
  try {
    return { end: await push.ended, log: proxy.log, stopped };
  } finally {
    await proxy.close();
    await stale?.close();
  }
}
