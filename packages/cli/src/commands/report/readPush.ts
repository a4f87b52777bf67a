import { InputError, type Stage } from "@vipscore/core";
import type { Field } from "@vipscore/core/field";
import type { ReportPush, ReportTransaction } from "@vipscore/report";
import type { Context } from "../../context.ts";
import { readJsonFile } from "../../files/readJsonFile.ts";
import { formatTokens } from "../../output/numbers.ts";

/**
 * Reads the object that `push --json` printed.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not of a push to this stage.
 */
export async function readPush({ io }: Context, file: string, stage: Stage): Promise<ReportPush> {
  const push = await readJsonFile(io, file, (place, problem) => new InputError(`${place} ${problem}`));
  if (push.at("command").value !== "push") push.wrong("is not what push --json printed");
  if (push.at("stage").value !== `${stage}`) push.wrong(`is of a push to another stage than ${stage}`);
  const verification = push.at("verification");
  return {
    file: readText(push.at("file").at("name")),
    sha256: readText(push.at("file").at("sha256")),
    price: readPrice(push.at("plan")),
    transactions: push.at("transactions").items().map(readTransaction),
    verification:
      verification.value === null
        ? undefined
        : {
            agrees: verification.at("agrees").value === true,
            height: readWhole(verification.at("height")),
            sha256: readText(verification.at("sha256").at("chain")),
          },
  };
}

function readTransaction(transaction: Field): ReportTransaction {
  return {
    hash: readText(transaction.at("hash")),
    rows: readWhole(transaction.at("rows")),
    height: readWhole(transaction.at("height")),
    gasUsed: readWhole(transaction.at("gasUsed")),
  };
}

function readPrice(plan: Field): string | undefined {
  const [price, token] = [plan.at("price"), plan.at("token")];
  if (price.value === null || token.value === null) return undefined;
  const decimals = readWhole(token.at("decimals"));
  if (decimals > 77n) token.at("decimals").expected("at most 77");
  const symbol = token.at("symbol").value === "" ? "" : readText(token.at("symbol"));
  return formatTokens(readWhole(price), { symbol, decimals: Number(decimals) }, "up");
}

function readText(field: Field): string {
  const { value } = field;
  return typeof value === "string" && value !== "" && value.length <= 256 ? value : field.expected("a text");
}

/** Counts are numbers, everything else is decimal text. */
function readWhole(field: Field): bigint {
  const { value } = field;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return typeof value === "string" && /^\d{1,78}$/.test(value) ? BigInt(value) : field.expected("a whole number");
}
