import { formatBech32, type Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { openL1, type L1Options } from "../vip/openVip.ts";
import type { Deposit } from "./vipMessages.ts";

/** The rules of L1's governance for a vote. Times are in seconds, rounded down. */
export interface VoteRules {
  /** The deposit with which the vote starts, one amount for each denomination; governance accepts no other denomination. */
  readonly minimumDeposit: readonly Deposit[];
  /** Time in which others can add what is missing from the deposit. */
  readonly depositPeriodSeconds: bigint;
  readonly votingPeriodSeconds: bigint;
  /** The same for an expedited vote. */
  readonly expedited: Pick<VoteRules, "minimumDeposit" | "votingPeriodSeconds">;
}

/**
 * Reads the rules for votes from L1's governance.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readVoteRules(options: L1Options): Promise<VoteRules> {
  const { rest, at } = openL1(options);
  // With any name of a group of parameters, governance returns all of them.
  return rest.get("/cosmos/gov/v1/params/voting", readRules, at);
}

function readRules(answer: Answer): VoteRules {
  const params = answer.field("params");
  return {
    minimumDeposit: readDeposits(params.field("min_deposit")),
    depositPeriodSeconds: readSeconds(params.field("max_deposit_period")),
    votingPeriodSeconds: readSeconds(params.field("voting_period")),
    expedited: {
      minimumDeposit: readDeposits(params.field("expedited_min_deposit")),
      votingPeriodSeconds: readSeconds(params.field("expedited_voting_period")),
    },
  };
}

function readDeposits(field: Answer): readonly Deposit[] {
  const coins = field.elements();
  return coins.map((coin) => ({ denom: coin.field("denom").text(), amount: readAmount(coin.field("amount")) }));
}

/** A duration in the JSON of protobuf, such as `172800s` or `0.5s`. */
function readSeconds(field: Answer): bigint {
  const [, seconds] = /^(\d{1,9})(?:\.\d{1,9})?s$/.exec(field.text()) ?? [];
  return seconds === undefined ? field.unreadable("a duration") : BigInt(seconds);
}

export interface ReadBalanceOptions extends L1Options {
  readonly account: Account;
  readonly denom: string;
}

/**
 * Reads what an account holds of a denomination on L1, in its smallest unit; 0 also for an account that does not exist.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readBalance({ account, denom, ...l1 }: ReadBalanceOptions): Promise<bigint> {
  const { rest, at } = openL1(l1);
  const path = `/cosmos/bank/v1beta1/balances/${formatBech32(account)}/by_denom`;
  return rest.get(path, (answer) => readAmount(answer.field("balance").field("amount")), { ...at, query: { denom } });
}

/** An amount of the bank, which has up to 256 bits. */
export function readAmount(field: Answer): bigint {
  const text = field.text();
  return /^\d{1,78}$/.test(text) ? BigInt(text) : field.unreadable("an amount");
}

export interface ReadBridgeBalanceOptions extends L1Options {
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
}

/** The token in which VIP counts balances and pays rewards (`vault::reward_metadata` in the module's source). */
const rewardDenom = "uinit";

/** Returns the token of VIP's rewards: `uinit`, or on a development chain without it the token of governance's deposits. */
export function rewardDenomOf({ minimumDeposit }: VoteRules): string {
  const denoms = minimumDeposit.map(({ denom }) => denom);
  return denoms.includes(rewardDenom) ? rewardDenom : (denoms[0] ?? rewardDenom);
}

/**
 * Reads what a bridge holds of the token that VIP counts.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readBridgeBalance(options: ReadBridgeBalanceOptions): Promise<Deposit> {
  const { bridgeAddress, ...rest } = options;
  const denom = rewardDenomOf(await readVoteRules(rest));
  return { denom, amount: await readBalance({ ...rest, account: bridgeAddress, denom }) };
}
