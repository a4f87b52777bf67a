import { matching, object, optional, text, type Field } from "@vipscore/core/field";
import type { AddFile } from "../../files/policyFile.ts";
import { readAccountsField, type AccountsField } from "../readCsv.ts";
import { contractAddress, sourceFields } from "../sourceFields.ts";

/** A source of kind `balances`: what accounts had after the window's last block. */
export interface BalancesDefinition extends AccountsField {
  readonly kind: "balances";
  readonly name: string;
  /** On EVM, the ERC-20 token in lower-case hex; undefined for the native token. */
  readonly token: `0x${string}` | undefined;
  /** The denomination; undefined on EVM. */
  readonly denom: string | undefined;
}

const readFields = object({
  ...sourceFields,
  token: optional(contractAddress([20])),
  // The rule of the Cosmos SDK (types/coin.go).
  denom: optional(matching(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, "a denomination")),
  accounts: text,
});

export async function readBalancesDefinition(source: Field, addFile: AddFile): Promise<BalancesDefinition> {
  const { name, token, denom } = readFields(source);
  if (token !== undefined && denom !== undefined) {
    source.at("denom").fail("is given together with token; a token is of EVM, a denom of Move and Wasm");
  }
  return { kind: "balances", name, token, denom, ...(await readAccountsField(source.at("accounts"), addFile)) };
}
readBalancesDefinition.schema = readFields.schema;
