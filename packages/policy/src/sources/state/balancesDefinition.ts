import { quoteText } from "@vipscore/core/errors";
import type { AddFile } from "../../files/policyFile.ts";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { parseContract } from "../parseContract.ts";
import { readAccountsField, type AccountsField } from "./accountsField.ts";

/** A source of kind `balances`: what accounts had after the window's last block. */
export interface BalancesDefinition extends AccountsField {
  readonly kind: "balances";
  readonly name: string;
  /** On EVM, the ERC-20 token in lower-case hex; undefined for the native token. */
  readonly token: `0x${string}` | undefined;
  /** The denomination; undefined on EVM. */
  readonly denom: string | undefined;
}

/** Reads the fields of balances. @throws InputError `POLICY_INVALID`; errors of {@link readAccountsField}. */
export async function readBalancesDefinition(
  name: string,
  table: TomlTable,
  addFile: AddFile,
): Promise<BalancesDefinition> {
  const token = table.optionalText("token");
  const denom = table.optionalText("denom");
  if (token !== undefined && denom !== undefined) {
    throw policyInvalid(
      table.place("denom"),
      "is given together with token; a token is of EVM, a denom of Move and Wasm",
    );
  }
  // The rule of the Cosmos SDK (types/coin.go).
  if (denom !== undefined && !/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)) {
    throw policyInvalid(table.place("denom"), `is ${quoteText(denom)}, which is not a denomination`);
  }
  return {
    kind: "balances",
    name,
    token: token === undefined ? undefined : parseContract(token, table.place("token"), [20]),
    denom,
    ...(await readAccountsField(table, addFile)),
  };
}
