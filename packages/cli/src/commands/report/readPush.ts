import { InputError, type Stage } from "@vipscore/core";
import type { ReportPush, ReportTransaction } from "@vipscore/report";
import type { Context } from "../../context.ts";
import { readWholeText } from "../../files/readFileText.ts";
import { valueAt } from "../../files/valueAt.ts";
import { formatTokens } from "../../output/numbers.ts";

/**
 * Reads the object that `push --json` printed.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not of a push to this stage.
 */
export async function readPush({ io }: Context, file: string, stage: Stage): Promise<ReportPush> {
  const value = parse(file, await readWholeText(io, file));
  if (valueAt(value, "command") !== "push") throw new InputError(`${file} is not what push --json printed`);
  if (valueAt(value, "stage") !== `${stage}`) {
    throw new InputError(`${file} is of a push to another stage than ${stage}`);
  }
  const transactions = valueAt(value, "transactions");
  if (!Array.isArray(transactions)) throw wrongField(file, "transactions");
  const verification = valueAt(value, "verification");
  return {
    file: readField(file, value, "file", "name"),
    sha256: readField(file, value, "file", "sha256"),
    price: readPrice(file, value),
    transactions: transactions.map((transaction: unknown, index) =>
      readTransaction(`transaction ${index + 1} of ${file}`, transaction),
    ),
    verification:
      verification === null
        ? undefined
        : {
            agrees: valueAt(verification, "agrees") === true,
            height: readWhole(file, verification, "height"),
            sha256: readField(file, verification, "sha256", "chain"),
          },
  };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`${file} is not JSON`, { cause });
  }
}

function readTransaction(place: string, value: unknown): ReportTransaction {
  return {
    hash: readField(place, value, "hash"),
    rows: readWhole(place, value, "rows"),
    height: readWhole(place, value, "height"),
    gasUsed: readWhole(place, value, "gasUsed"),
  };
}

function readPrice(file: string, value: unknown): string | undefined {
  const token = valueAt(value, "plan", "token");
  if (valueAt(value, "plan", "price") === null || token === null) return undefined;
  const decimals = readWhole(file, token, "decimals");
  if (decimals > 77n) throw wrongField(file, "decimals");
  const symbol = valueAt(token, "symbol");
  if (typeof symbol !== "string" || symbol.length > longest) throw wrongField(file, "symbol");
  return formatTokens(readWhole(file, value, "plan", "price"), { symbol, decimals: Number(decimals) }, "up");
}

/** Longest text of a field, in characters. */
const longest = 256;

function readField(place: string, value: unknown, ...path: readonly string[]): string {
  const text = valueAt(value, ...path);
  if (typeof text === "string" && text !== "" && text.length <= longest) return text;
  throw wrongField(place, path.join("."));
}

/** Counts are numbers, everything else is decimal text. */
function readWhole(place: string, value: unknown, ...path: readonly string[]): bigint {
  const found = valueAt(value, ...path);
  if (typeof found === "number" && Number.isSafeInteger(found) && found >= 0) return BigInt(found);
  if (typeof found === "string" && /^\d{1,78}$/.test(found)) return BigInt(found);
  throw wrongField(place, path.join("."));
}

function wrongField(place: string, field: string): InputError {
  return new InputError(`${field} of ${place} is not what push --json prints`);
}
