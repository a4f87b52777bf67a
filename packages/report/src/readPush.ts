import { InputError, VipError, type ContractIdentity } from "@vipscore/core";
import { fields, list, nullable, oneOf, text, type Field } from "@vipscore/core/field";
import { formatTokens, vms } from "@vipscore/core/values";
import type { ReportPush } from "./reportInput.ts";

/** A push to a contract. */
export interface ReadPush {
  readonly contract: ContractIdentity;
  readonly push: ReportPush;
}

const readFields = fields({
  contract: fields({ vm: oneOf(vms), chainId: text, address: text }),
  file: fields({ name: readTextField, sha256: readTextField }),
  plan: readPrice,
  transactions: list(fields({ hash: readTextField, rows: readWhole, height: readWhole, gasUsed: nullable(readWhole) })),
  verification: nullable(
    fields({ agrees: ({ value }) => value === true, height: readWhole, sha256: fields({ chain: readTextField }) }),
  ),
});

/** Reads the JSON that the command prints of a push. Throws the error of the field, also for a push to another stage. */
export function readPush(json: Field, stage: bigint): ReadPush {
  if (json.at("stage").value !== `${stage}`) json.fail(`is from a push to a stage other than ${stage}`);
  const { contract, file, plan: price, transactions, verification } = readFields(json);
  const verified = verification && { ...verification, sha256: verification.sha256.chain };
  return { contract, push: { file: file.name, sha256: file.sha256, price, transactions, verification: verified } };
}

/**
 * Checks that a push is one to this contract, and of the scores that the stage holds.
 *
 * @param name The push's file, for messages.
 * @param digest Sha256 of the stage's scores.
 * @throws InputError `INPUT_INVALID` for another contract; VipError `VERIFY_MISMATCH` for other scores.
 */
export function requireOwnPush(
  name: string,
  { contract: { vm, chainId, address }, push: { sha256, verification } }: ReadPush,
  identity: ContractIdentity,
  digest: string,
): void {
  const isOwn =
    vm === identity.vm && chainId === identity.chainId && address.toLowerCase() === identity.address.toLowerCase();
  if (!isOwn) {
    throw new InputError(
      `${name} is from a push to ${address} on ${chainId} (${vm}), not to ${identity.address} on ${identity.chainId} (${identity.vm})`,
    );
  }
  const other = [sha256, verification?.sha256].find((pushed) => pushed !== undefined && pushed !== digest);
  if (other === undefined) return;
  throw new VipError(`the stage does not hold the scores of the push in ${name}`, {
    code: "VERIFY_MISMATCH",
    metaMessages: [
      `The stage has the sha256 ${digest}, the push ${other}.`,
      "Give what the last push that wrote to the stage printed, or leave the file out.",
    ],
  });
}

function readPrice(plan: Field): string | undefined {
  const [price, token] = [plan.at("price"), plan.at("token")];
  if (price.value === null || token.value === null) return undefined;
  const decimals = readWhole(token.at("decimals"));
  if (decimals > 77n) token.at("decimals").failExpected("at most 77");
  const symbol = token.at("symbol").value === "" ? "" : readTextField(token.at("symbol"));
  return formatTokens(readWhole(price), { symbol, decimals: Number(decimals) }, "up");
}

function readTextField(field: Field): string {
  const { value } = field;
  return typeof value === "string" && value !== "" && value.length <= 256 ? value : field.failExpected("a text");
}

/** Counts are numbers, everything else is decimal text. */
function readWhole(field: Field): bigint {
  const { value } = field;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  return typeof value === "string" && /^\d{1,78}$/.test(value) ? BigInt(value) : field.failExpected("a whole number");
}
