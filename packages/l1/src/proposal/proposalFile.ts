import { InputError, parseAccount, readJsonFile, u64Max, VipError, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, type Field, type ReadField } from "@vipscore/core/field";
import { parseRatio, proposalLimits } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { pathOf } from "../../contract/readTable.ts";
import { readActions } from "./registryProfile.ts";

/** Settings that every proposal has. */
export type ProposalFile = ReturnType<typeof readCommon>;

/** Additional settings of the registration of a rollup. */
export type RegistrationFile = ReturnType<typeof readRegistration>;

const ratio: ReadField<bigint> = (field) =>
  (typeof field.value === "string" ? parseRatio(field.value.trim()) : undefined) ??
  field.expected('a decimal number in quotes, such as "0.05"');

const common = {
  title: lineOf(proposalLimits.title),
  summary: textOf(proposalLimits.summary),
  /** By custom the URL of the discussion in the forum. */
  metadata: lineOf(proposalLimits.metadata),
  deposit: readCoin,
  /** Default: the signer. A proposer has a key, so its address has 20 bytes. */
  proposer: optional(accountOf([20])),
  bridgeId: readId,
  /** The scoring contract on the rollup. */
  contract: textOf(),
  /** The scoring policy or its URL, for the forum. */
  policy: textOf(),
  /** Method by which anyone recomputes the scores from the chain, for the forum. */
  recompute: optional(textOf()),
};

const readCommon = object(common);

const readRegistration = object({
  ...common,
  bridgeAddress: accountOf([20, 32]),
  operator: accountOf([20, 32]),
  commission: object({ maxRate: ratio, maxChangeRate: ratio, rate: ratio }),
  /** What earns scores, for the rollup's profile in Initia's registry. */
  actions: optional(readActions),
});

/**
 * Reads the settings of a proposal that registers a rollup.
 *
 * @throws InputError `PROPOSAL_INVALID`, naming the file and the field; `FILE_UNREADABLE`.
 */
export async function readRegistrationFile(context: Context, file: string): Promise<RegistrationFile> {
  return readFile(context, file, readRegistration);
}

/**
 * Reads the settings of a proposal that replaces a rollup's contract.
 *
 * @throws InputError `PROPOSAL_INVALID`, naming the file and the field; `FILE_UNREADABLE`.
 */
export async function readContractFile(context: Context, file: string): Promise<ProposalFile> {
  return readFile(context, file, readCommon);
}

async function readFile<T extends ProposalFile>(
  { io, scrubber }: Context,
  file: string,
  read: ReadField<T>,
): Promise<T> {
  const settings = await readJsonFile(pathOf(io, file), { name: file, refuse, signal: io.signal });
  // An error may repeat a value, which may be a key in the wrong place.
  scrubber.addGiven(JSON.stringify(settings.value));
  const proposal = read(settings);
  checkMetadata(settings.at("metadata"), proposal);
  return proposal;
}

function refuse(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`, { code: "PROPOSAL_INVALID" });
}

/** Metadata that is a JSON object must repeat title and summary, or governance refuses the proposal. */
function checkMetadata(field: Field, { metadata, title, summary }: ProposalFile): void {
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    return;
  }
  if (typeof value !== "object" || Array.isArray(value)) return;
  const of = (name: string): unknown => (value === null ? undefined : Reflect.get(value, name));
  if (of("title") !== title || of("summary") !== summary) {
    field.wrong('is JSON without the "title" and the "summary" of the proposal; give the URL instead');
  }
}

/** Returns a reader of texts of one line, without control characters and marks that reverse or hide text. */
function lineOf(maxBytes: number): ReadField<string> {
  const read = textOf(maxBytes);
  return (field) => {
    const line = read(field);
    const mark = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(line)?.[0];
    return mark === undefined ? line : field.wrong(`has ${quoteText(mark)}; give one line of printable characters`);
  };
}

/** Returns a reader of texts that are not empty and have at most this many bytes in UTF-8. */
function textOf(maxBytes = 100_000): ReadField<string> {
  return (field) => {
    const text = typeof field.value === "string" ? field.value.trim() : "";
    if (text === "") return field.expected("a text");
    const bytes = Buffer.byteLength(text);
    return bytes <= maxBytes ? text : field.wrong(`has ${bytes} bytes; L1 accepts at most ${maxBytes}`);
  };
}

/** Returns a reader of accounts, hex or bech32. */
function accountOf(accountBytes: readonly (20 | 32)[]): ReadField<Account> {
  return (field) => {
    const text = textOf()(field);
    try {
      return parseAccount(text, { accountBytes });
    } catch (error) {
      if (!VipError.isVipError(error)) throw error;
      return field.wrong(`is not an account: ${error.shortMessage}`);
    }
  };
}

/** Reads an integer from 1 to 2^64 - 1, as a number or as text. */
function readId(field: Field): bigint {
  const { value } = field;
  const isExact = typeof value === "string" || Number.isSafeInteger(value);
  const text = String(value);
  if (isExact && /^[1-9]\d{0,19}$/.test(text) && BigInt(text) <= u64Max) return BigInt(text);
  return field.expected(`an integer from 1 to ${u64Max}`);
}

/** Reads an amount above 0 of one denomination, such as `"10000000uinit"`. */
function readCoin(field: Field): { readonly denom: string; readonly amount: bigint } {
  const [, amount, denom] = /^(\d{1,38})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(textOf()(field)) ?? [];
  if (amount !== undefined && denom !== undefined && BigInt(amount) !== 0n) return { denom, amount: BigInt(amount) };
  return field.expected("an amount above 0 and its denomination, such as 10000000uinit");
}
