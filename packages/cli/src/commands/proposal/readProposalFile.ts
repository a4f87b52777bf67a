import type { Account } from "@vipscore/core";
import { proposalLimits, type Commission, type Deposit } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { openProposalFile, type ProposalFields } from "./proposalFields.ts";

/** Settings that every proposal has. */
export interface ProposalFile {
  readonly title: string;
  readonly summary: string;
  /** By custom the URL of the discussion in the forum. */
  readonly metadata: string;
  readonly deposit: Deposit;
  /** Undefined: the signer. */
  readonly proposer: Account | undefined;
  readonly bridgeId: bigint;
  /** The scoring contract on the rollup. */
  readonly contract: string;
  /** The scoring policy or its URL, for the forum. */
  readonly policy: string;
  /** Method by which anyone recomputes the scores from the chain, for the forum. */
  readonly recompute: string | undefined;
}

/** Additional settings of the registration of a rollup. */
export interface RegistrationFile extends ProposalFile {
  readonly bridgeAddress: Account;
  readonly operator: Account;
  readonly commission: Commission;
}

/**
 * Reads the settings of a proposal that registers a rollup.
 *
 * @throws InputError `PROPOSAL_INVALID`, naming the file and the field; `FILE_UNREADABLE`.
 */
export async function readRegistrationFile(context: Context, file: string): Promise<RegistrationFile> {
  const fields = await openProposalFile(context, file);
  const commission = fields.object("commission");
  const read: RegistrationFile = {
    ...readCommon(fields),
    bridgeAddress: fields.account("bridgeAddress"),
    operator: fields.account("operator"),
    commission: {
      maxRate: commission.ratio("maxRate"),
      maxChangeRate: commission.ratio("maxChangeRate"),
      rate: commission.ratio("rate"),
    },
  };
  commission.finish();
  fields.finish();
  return read;
}

/**
 * Reads the settings of a proposal that replaces a rollup's contract.
 *
 * @throws InputError `PROPOSAL_INVALID`, naming the file and the field; `FILE_UNREADABLE`.
 */
export async function readContractFile(context: Context, file: string): Promise<ProposalFile> {
  const fields = await openProposalFile(context, file);
  const read = readCommon(fields);
  fields.finish();
  return read;
}

function readCommon(fields: ProposalFields): ProposalFile {
  const read: ProposalFile = {
    title: fields.text("title", proposalLimits.title),
    summary: fields.text("summary", proposalLimits.summary),
    metadata: fields.text("metadata", proposalLimits.metadata),
    deposit: fields.coin("deposit"),
    proposer: fields.optionalSigner("proposer"),
    bridgeId: fields.id("bridgeId"),
    contract: fields.word("contract"),
    policy: fields.text("policy"),
    recompute: fields.optionalText("recompute"),
  };
  checkMetadata(fields, read);
  return read;
}

/** Metadata that is a JSON object must repeat title and summary, or governance refuses the proposal. */
function checkMetadata(fields: ProposalFields, { metadata, title, summary }: ProposalFile): void {
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    return;
  }
  if (typeof value !== "object" || Array.isArray(value)) return;
  const of = (name: string): unknown => (value === null ? undefined : Reflect.get(value, name));
  if (of("title") !== title || of("summary") !== summary) {
    fields.refuse("metadata", 'is JSON without the "title" and the "summary" of the proposal; give the URL instead');
  }
}
