import type { Account } from "@vipscore/core";
import { openVip, type VipOptions } from "./openVip.ts";
import { findEntry, keyOf, readHandle } from "./tables.ts";
import { readMoveAddress } from "./vipAddress.ts";

/** What a challenge repeats or chooses: it names VIP's agent again, and has a number that no other challenge has. */
export interface ChallengeTerms {
  readonly agent: Account;
  /** Where the agent publishes its data. */
  readonly apiUri: string;
  /** A free number: L1's height, or the next one that is free. */
  readonly challengeId: bigint;
}

/**
 * Reads the terms of a challenge from L1, at the height of the newest block. `execute_challenge` sets VIP's agent, so a
 * challenge that is only about a snapshot names the present one.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readChallengeTerms(options: VipOptions): Promise<ChallengeTerms> {
  const reader = await openVip(options);
  const { challenges, ...agent } = await reader.readModuleStore((data) => ({
    agent: readMoveAddress(data.field("agent_data").field("agent")),
    apiUri: data.field("agent_data").field("api_uri").text(),
    challenges: readHandle(data.field("challenges")),
  }));
  let challengeId = reader.block.height;
  while ((await findEntry(reader, challenges, keyOf(challengeId), () => true)) !== undefined) challengeId += 1n;
  return { ...agent, challengeId };
}
