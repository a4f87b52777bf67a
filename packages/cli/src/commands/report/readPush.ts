import { InputError, type Stage } from "@vipscore/core";
import { fields, list, nullable, type Field } from "@vipscore/core/field";
import type { ReportPush } from "@vipscore/report";
import type { Context } from "../../context.ts";
import { readJsonFile } from "../../files/readJsonFile.ts";
import { formatTokens } from "../../output/numbers.ts";

const readFields = fields({
  file: fields({ name: readText, sha256: readText }),
  plan: readPrice,
  transactions: list(fields({ hash: readText, rows: readWhole, height: readWhole, gasUsed: readWhole })),
  verification: nullable(
    fields({ agrees: ({ value }) => value === true, height: readWhole, sha256: fields({ chain: readText }) }),
  ),
});

/**
 * Reads the object that `push --json` printed.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not of a push to this stage.
 */
export async function readPush({ io }: Context, file: string, stage: Stage): Promise<ReportPush> {
  const push = await readJsonFile(io, file, (place, problem) => new InputError(`${place} ${problem}`));
  if (push.at("command").value !== "push") push.wrong("is not what push --json printed");
  if (push.at("stage").value !== `${stage}`) push.wrong(`is of a push to another stage than ${stage}`);
  const { file: table, plan: price, transactions, verification } = readFields(push);
  return {
    file: table.name,
    sha256: table.sha256,
    price,
    transactions,
    verification: verification && { ...verification, sha256: verification.sha256.chain },
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
