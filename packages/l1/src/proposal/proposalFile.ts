import { parseAccount, u64Max, VipError, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, withSchema, type Field, type ReadField } from "@vipscore/core/field";
import { parseRatio } from "../bcs/bcsType.ts";
import { proposalLimits } from "./vipMessages.ts";

/** Settings that every proposal has. */
export type ProposalFile = ReturnType<typeof readCommon>;

/** Additional settings of the registration of a rollup. */
export type RegistrationFile = ReturnType<typeof readRegistrationFields>;

const ratio: ReadField<bigint> = withSchema(
  { type: "string" },
  (field) =>
    (typeof field.value === "string" ? parseRatio(field.value.trim()) : undefined) ??
    field.failExpected('a decimal number in quotes, such as "0.05"'),
);

/** JSON Schema of a text that is not empty. */
const someText = { type: "string", pattern: String.raw`\S` };
const decimal = /^[1-9]\d{0,19}$/;
/** An amount and its denomination. */
const coin = /^\s*(\d{1,38})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})\s*$/;

const common = {
  /** For editors. */
  $schema: optional(textUpTo()),
  title: lineUpTo(proposalLimits.title),
  summary: textUpTo(proposalLimits.summary),
  /** By custom the URL of the discussion in the forum. */
  metadata: lineUpTo(proposalLimits.metadata),
  deposit: withSchema({ type: "string", pattern: coin.source }, readCoin),
  /** Default: the signer. A proposer has a key, so its address has 20 bytes. */
  proposer: optional(accountField([20])),
  bridgeId: withSchema({ type: ["string", "integer"], minimum: 1, pattern: decimal.source }, readId),
  contract: textUpTo(),
  /** The scoring policy or its URL, for the forum. */
  policy: textUpTo(),
  /** Method by which anyone recomputes the scores from the chain, for the forum. */
  recompute: optional(textUpTo()),
};

const readCommon = object(common);

const readRegistrationFields = object({
  ...common,
  bridgeAddress: accountField([20, 32]),
  operator: accountField([20, 32]),
  commission: object({ maxRate: ratio, maxChangeRate: ratio, rate: ratio }),
});

/** Returns the JSON Schema of the settings of a proposal, for editors. It takes all that {@link readRegistration} or {@link readContractChange} takes. */
export function proposalSchema(): object {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of a proposal to L1's governance: proposal.json",
    anyOf: [readRegistrationFields.schema, readCommon.schema],
  };
}

/** Reads the settings of a proposal that registers a rollup. Throws the error of the field. */
export function readRegistration(json: Field): RegistrationFile {
  return withMetadata(json, readRegistrationFields(json));
}

/** Reads the settings of a proposal that replaces a rollup's contract. Throws the error of the field. */
export function readContractChange(json: Field): ProposalFile {
  return withMetadata(json, readCommon(json));
}

/** Metadata that is a JSON object must repeat title and summary, or governance refuses the proposal. */
function withMetadata<T extends ProposalFile>(json: Field, file: T): T {
  const { metadata, title, summary } = file;
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    return file;
  }
  if (typeof value !== "object" || Array.isArray(value)) return file;
  const field = (name: string): unknown => (value === null ? undefined : Reflect.get(value, name));
  if (field("title") === title && field("summary") === summary) return file;
  return json
    .at("metadata")
    .fail('is JSON without the "title" and the "summary" of the proposal; give the URL instead');
}

/** Returns a reader of texts of one line, without control characters and marks that reverse or hide text. */
function lineUpTo(maxBytes: number): ReadField<string> {
  const read = textUpTo(maxBytes);
  return withSchema(someText, (field) => {
    const line = read(field);
    const mark = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(line)?.[0];
    return mark === undefined ? line : field.fail(`has ${quoteText(mark)}; give one line of printable characters`);
  });
}

/** Returns a reader of texts that are not empty and have at most this many bytes in UTF-8. */
function textUpTo(maxBytes = 100_000): ReadField<string> {
  return withSchema(someText, (field) => {
    const value = typeof field.value === "string" ? field.value.trim() : "";
    if (value === "") return field.failExpected("a text");
    const bytes = Buffer.byteLength(value);
    return bytes <= maxBytes ? value : field.fail(`has ${bytes} bytes; L1 accepts at most ${maxBytes}`);
  });
}

function accountField(accountBytes: readonly (20 | 32)[]): ReadField<Account> {
  return withSchema(someText, (field) => {
    const address = textUpTo()(field);
    try {
      return parseAccount(address, { accountBytes });
    } catch (error) {
      if (!VipError.isVipError(error)) throw error;
      return field.fail(`is not an account: ${error.shortMessage}`);
    }
  });
}

/** Reads an integer from 1 to 2^64 - 1, as a number or as text. */
function readId(field: Field): bigint {
  const { value } = field;
  const isExact = typeof value === "string" || Number.isSafeInteger(value);
  const digits = String(value);
  if (isExact && decimal.test(digits) && BigInt(digits) <= u64Max) return BigInt(digits);
  return field.failExpected(`an integer from 1 to ${u64Max}`);
}

/** Reads an amount above 0 of one denomination, such as `"10000000uinit"`. */
function readCoin(field: Field): { readonly denom: string; readonly amount: bigint } {
  const [, amount, denom] = coin.exec(textUpTo()(field)) ?? [];
  if (amount !== undefined && denom !== undefined && BigInt(amount) !== 0n) return { denom, amount: BigInt(amount) };
  return field.failExpected("an amount above 0 and its denomination, such as 10000000uinit");
}
