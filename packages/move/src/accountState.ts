import type { AccountState } from "@vipscore/core/cosmos";
import { readObject, readU64 } from "./readField.ts";
import { isNotFound, type RestClient } from "@vipscore/core/http";

/** Reads an account's number and sequence; both 0 for one that the chain does not know, because it never had anything. */
export async function readAccountState(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<AccountState> {
  const path = `/cosmos/auth/v1beta1/account_info/${address}`;
  try {
    const source = { rest, path };
    const info = readObject(source, await rest.get(path, { signal }), "info");
    return {
      accountNumber: readU64(source, info, "account_number"),
      sequence: readU64(source, info, "sequence"),
    };
  } catch (error) {
    if (isNotFound(error)) return { accountNumber: 0n, sequence: 0n };
    throw error;
  }
}
