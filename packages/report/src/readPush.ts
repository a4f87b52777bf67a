import { CheckError, InputError, readJsonFile, type ContractIdentity, type Stage } from "@vipscore/core";
import { fields, list, nullable, oneOf, text, type Field } from "@vipscore/core/field";
import { formatTokens, vms } from "@vipscore/core/values";
import type { ReportPush } from "@vipscore/report";
import type { Context } from "../../context.ts";
import { pathOf } from "../../contract/readTable.ts";

const readFields = fields({
  contract: fields({ vm: oneOf(vms), chainId: text, address: text }),
  file: fields({ name: readText, sha256: readText }),
  plan: readPrice,
  transactions: list(fields({ hash: readText, rows: readWhole, height: readWhole, gasUsed: readWhole })),
  verification: nullable(
    fields({ agrees: ({ value }) => value === true, height: readWhole, sha256: fields({ chain: readText }) }),
  ),
});

/** A push to a contract. */
export interface ReadPush {
  readonly contract: ContractIdentity;
  readonly push: ReportPush;
}

/**
 * Reads the object that `push --json` printed.
 *
 * @throws InputError `FILE_UNREADABLE`; `INPUT_INVALID` if it is not of a push to this stage.
 */
export async function readPush({ io }: Context, file: string, stage: Stage): Promise<ReadPush> {
  const push = await readJsonFile(pathOf(io, file), {
    name: file,
    refuse: (place, problem) => new InputError(`${place} ${problem}`),
    signal: io.signal,
  });
  if (push.at("command").value !== "push") push.wrong("is not what push --json printed");
  if (push.at("stage").value !== `${stage}`) push.wrong(`is of a push to another stage than ${stage}`);
  const { contract, file: table, plan: price, transactions, verification } = readFields(push);
  return {
    contract,
    push: {
      file: table.name,
      sha256: table.sha256,
      price,
      transactions,
      verification: verification && { ...verification, sha256: verification.sha256.chain },
    },
  };
}

/**
 * Checks that a push is one to this contract, and of the scores that the stage holds.
 *
 * @throws InputError `INPUT_INVALID` for another contract; CheckError `VERIFY_MISMATCH` for other scores.
 */
export function requireOwnPush(
  file: string,
  { contract: { vm, chainId, address }, push: { sha256, verification } }: ReadPush,
  identity: ContractIdentity,
  digest: string,
): void {
  const isOwn =
    vm === identity.vm && chainId === identity.chainId && address.toLowerCase() === identity.address.toLowerCase();
  if (!isOwn) {
    throw new InputError(
      `${file} is of a push to ${address} on ${chainId} (${vm}), not to ${identity.address} on ${identity.chainId} (${identity.vm})`,
    );
  }
  const other = [sha256, verification?.sha256].find((pushed) => pushed !== undefined && pushed !== digest);
  if (other === undefined) return;
  throw new CheckError(`the stage does not hold the scores of the push in ${file}`, {
    code: "VERIFY_MISMATCH",
    metaMessages: [`The stage has the sha256 ${digest}, the push ${other}.`],
  });
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
