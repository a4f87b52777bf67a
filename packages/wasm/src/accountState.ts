import type { AccountState } from "@vipscore/core/cosmos";
import { QueryAccountInfoRequest, QueryAccountInfoResponse } from "cosmjs-types/cosmos/auth/v1beta1/query";
import { QueryError } from "./cometErrors.ts";
import type { CometRpc } from "./cometRpc.ts";
import { queryChain } from "./queryChain.ts";

const accountInfo = {
  path: "/cosmos.auth.v1beta1.Query/AccountInfo",
  request: QueryAccountInfoRequest,
  response: QueryAccountInfoResponse,
};

/** Reads an account's number and sequence; both 0 for one that the chain does not know, because it never had anything. */
export async function readAccountState(
  comet: CometRpc,
  address: string,
  signal: AbortSignal | undefined,
): Promise<AccountState> {
  try {
    const { info } = await queryChain(comet, accountInfo, { address }, signal === undefined ? {} : { signal });
    return { accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n };
  } catch (error) {
    if (error instanceof QueryError && /account \S+ not found/.test(error.details ?? "")) {
      return { accountNumber: 0n, sequence: 0n };
    }
    throw error;
  }
}
