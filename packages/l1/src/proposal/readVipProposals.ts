import { VipError } from "@vipscore/core";
import { formatTime } from "@vipscore/core/values";
import type { Answer } from "@vipscore/core/wire";
import { bcsU64 } from "../bcs/bcsType.ts";
import { openL1, type L1Options } from "../vip/openVip.ts";
import { parseMoveAddress, type VipAddress } from "../vip/vipAddress.ts";

/** A proposal to L1's governance that calls the module `vip` for a bridge. */
export interface VipProposal {
  readonly id: bigint;
  /** The entry function that it calls, such as `register`. */
  readonly functionName: string;
  /** As L1 spells it, without `PROPOSAL_STATUS_`: `DEPOSIT_PERIOD`, `VOTING_PERIOD`, `PASSED`, `REJECTED`, `FAILED`. */
  readonly status: string;
  /** When the deposit has to be whole, or the vote ends or has ended. */
  readonly deadline: Date | undefined;
  /** Why a proposal that was accepted could not be executed; empty otherwise. */
  readonly failedReason: string;
}

/** Options of {@link readVipProposals}. */
export interface ReadVipProposalsOptions extends L1Options {
  readonly vip: VipAddress;
  readonly bridgeId: bigint;
}

/** Proposals that are read, the newest ones: one page. */
const proposalsRead = "100";

/**
 * Reads the proposals about a bridge among the newest 100 of L1's governance, newest first. L1 forgets those whose deposit
 * was never whole.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError; the signal's reason when aborted.
 */
export async function readVipProposals(options: ReadVipProposalsOptions): Promise<readonly VipProposal[]> {
  const { vip, bridgeId } = options;
  const { rest, at } = openL1(options);
  const query = { "pagination.limit": proposalsRead, "pagination.reverse": "true" };
  const read = (answer: Answer): readonly VipProposal[] =>
    answer
      .field("proposals")
      .elements()
      .flatMap((proposal) => {
        const calls = proposal
          .field("messages")
          .list()
          .map((message) => readBridgeCall(message, vip));
        const call = calls.find((found) => found?.bridgeId === bridgeId);
        return call === undefined ? [] : [readProposal(proposal, call.functionName)];
      });
  return rest.get("/cosmos/gov/v1/proposals", read, { query, ...at });
}

/** Returns the proposal on which L1 votes now to call a function for the bridge; undefined without one. */
export function openProposal(proposals: readonly VipProposal[], functionName: string): VipProposal | undefined {
  return proposals.find((proposal) => proposal.functionName === functionName && proposal.status === "VOTING_PERIOD");
}

/**
 * Checks that L1 does not vote on such a proposal for the bridge already.
 *
 * @throws VipError `PROPOSAL_OPEN`; NodeError; the signal's reason when aborted.
 */
export async function checkNoOpenProposal(options: ReadVipProposalsOptions, functionName: string): Promise<void> {
  const open = openProposal(await readVipProposals(options), functionName);
  if (open === undefined) return;
  const until = open.deadline === undefined ? "" : ` until ${formatTime(open.deadline)}`;
  throw new VipError(
    `L1 votes on proposal ${open.id} (${functionName}) for bridge ${options.bridgeId} already${until}`,
    { code: "PROPOSAL_OPEN", metaMessages: ["Wait for its end: a second one would cost another deposit."] },
  );
}

function readProposal(proposal: Answer, functionName: string): VipProposal {
  const status = proposal.field("status").text().replace("PROPOSAL_STATUS_", "");
  const deadline = proposal.optional(status === "DEPOSIT_PERIOD" ? "deposit_end_time" : "voting_end_time");
  return {
    id: proposal.field("id").u64(),
    functionName,
    status,
    deadline: deadline?.isoTime(),
    failedReason: proposal.optional("failed_reason")?.text() ?? "",
  };
}

/** Reads which bridge a message is about; undefined for a message that does not call the module `vip` for one. */
function readBridgeCall(
  message: Answer,
  { address }: VipAddress,
): { readonly functionName: string; readonly bridgeId: bigint } | undefined {
  const { "@type": type, module_address, module_name, function_name: functionName, args } = message.object();
  if (type !== "/initia.move.v1.MsgGovExecute" || module_name !== "vip") return undefined;
  if (typeof functionName !== "string" || !Array.isArray(args) || !isAddress(module_address, address)) return undefined;
  // The other functions for a bridge name it first.
  const text: unknown = args[functionName === "register" ? 1 : 0];
  const bytes = Buffer.from(typeof text === "string" ? text : "", "base64");
  return bytes.length === 8 ? { functionName, bridgeId: bcsU64.decode(bytes) } : undefined;
}

function isAddress(text: unknown, address: string): boolean {
  try {
    return typeof text === "string" && parseMoveAddress(text) === address;
  } catch (error) {
    if (VipError.isVipError(error)) return false;
    throw error;
  }
}
