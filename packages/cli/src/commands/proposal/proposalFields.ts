import { resolve } from "node:path";
import { InputError, parseAccount, systemErrorCode, u64Max, VipError, type Account } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { parseRatio } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readFileText } from "../../files/readFileText.ts";
import { keyLikeParts } from "../../key/secrets.ts";
import type { Scrubber } from "../../output/scrubber.ts";

/** The fields of a JSON file, read one by one; an error names the file and the field. */
export class ProposalFields {
  readonly #scrubber: Scrubber;
  readonly #file: string;
  readonly #path: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();

  constructor(scrubber: Scrubber, file: string, value: unknown, path = "") {
    this.#scrubber = scrubber;
    this.#file = file;
    this.#path = path;
    if (!isObject(value))
      throw invalid(path === "" ? `${file} is not a JSON object` : `${file}: "${path}" is not an object`);
    this.#value = value;
  }

  /** Text, not empty and at most this many bytes in UTF-8. Default: 100,000. */
  text(name: string, maxBytes = 100_000): string {
    const value = this.#required(name);
    if (typeof value !== "string") return this.refuse(name, "is not text");
    const text = value.trim();
    if (text === "") return this.refuse(name, "is empty");
    const bytes = Buffer.byteLength(text);
    return bytes <= maxBytes ? text : this.refuse(name, `has ${bytes} bytes; L1 accepts at most ${maxBytes}`);
  }

  /** Text that an error may repeat, so that it must not be a key in the wrong place. */
  word(name: string): string {
    const text = this.text(name);
    this.#scrubber.addGiven(text);
    return text;
  }

  /** Text, or undefined if the field is missing. */
  optionalText(name: string): string | undefined {
    this.#read.add(name);
    return this.#value[name] === undefined ? undefined : this.text(name);
  }

  /** An account, hex or bech32. */
  account(name: string, accountBytes: readonly (20 | 32)[] = [20, 32]): Account {
    const text = this.word(name);
    try {
      return parseAccount(text, { accountBytes });
    } catch (error) {
      if (!VipError.isVipError(error)) throw error;
      return this.refuse(name, `is not an account: ${error.shortMessage}`);
    }
  }

  /** An account with a key, which has 20 bytes; undefined if the field is missing. */
  optionalSigner(name: string): Account | undefined {
    this.#read.add(name);
    return this.#value[name] === undefined ? undefined : this.account(name, [20]);
  }

  /** An integer from 1 to 2^64 - 1, as a number or as text. */
  id(name: string): bigint {
    const value = this.#required(name);
    const isExact = typeof value === "string" || Number.isSafeInteger(value);
    const text = String(value);
    if (isExact && /^[1-9]\d{0,19}$/.test(text) && BigInt(text) <= u64Max) return BigInt(text);
    return this.refuse(name, `is not an integer from 1 to ${u64Max}`);
  }

  /** A share such as `"0.05"`, as text because JSON's numbers are not exact. */
  ratio(name: string): bigint {
    const value = this.#required(name);
    const ratio = typeof value === "string" ? parseRatio(value.trim()) : undefined;
    return ratio ?? this.refuse(name, 'is not a decimal number in quotes, such as "0.05"');
  }

  /** An amount above 0 of one denomination, such as `"10000000uinit"`. */
  coin(name: string): { readonly denom: string; readonly amount: bigint } {
    const [, amount, denom] = /^(\d{1,38})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(this.text(name)) ?? [];
    if (amount === undefined || denom === undefined || BigInt(amount) === 0n) {
      return this.refuse(name, "is not an amount above 0 and its denomination, such as 10000000uinit");
    }
    return { denom, amount: BigInt(amount) };
  }

  /** The fields of an object in this one. */
  object(name: string): ProposalFields {
    return new ProposalFields(this.#scrubber, this.#file, this.#required(name), this.#pathOf(name));
  }

  /** Refuses fields that were not read: they are misspelled, or belong to another command. */
  finish(): void {
    const unknown = Object.keys(this.#value).find((name) => !this.#read.has(name));
    if (unknown === undefined) return;
    const shown = keyLikeParts(unknown).length > 0 ? "…" : this.#pathOf(unknown);
    throw invalid(`${this.#file}: unknown field "${shown}"`, `Known fields: ${[...this.#read].join(", ")}.`);
  }

  /** @throws InputError `PROPOSAL_INVALID`, naming the field. */
  refuse(name: string, what: string): never {
    throw invalid(`${this.#file}: "${this.#pathOf(name)}" ${what}`);
  }

  #required(name: string): unknown {
    this.#read.add(name);
    const value = this.#value[name];
    return value === undefined || value === null ? this.refuse(name, "is missing") : value;
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
}

/**
 * Opens the settings of a proposal.
 *
 * @throws InputError `FILE_UNREADABLE`; `PROPOSAL_INVALID` when the file is not a JSON object.
 */
export async function openProposalFile({ io, scrubber }: Context, file: string): Promise<ProposalFields> {
  let text: string;
  try {
    text = await readFileText(resolve(io.cwd, file), io);
  } catch (cause) {
    const details = systemErrorCode(cause);
    throw new InputError(`the settings ${file} cannot be read`, { code: "FILE_UNREADABLE", details, cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the text around the error, which may be a key pasted into the wrong file.
    throw invalid(`${file} is not JSON`);
  }
  return new ProposalFields(scrubber, file, value);
}

function invalid(message: string, ...metaMessages: readonly string[]): InputError {
  return new InputError(message, { code: "PROPOSAL_INVALID", metaMessages });
}
