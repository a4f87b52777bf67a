import { absentIf, isNotFound, type Answer, type RestClient } from "@vipscore/core/wire";
import type { AccountState } from "@vipscore/cosmos";

/** Reads an account's number and sequence; both are 0 for an account unknown to the chain, which never received anything. */
export async function readAccountState(
  rest: RestClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<AccountState> {
  const asked = rest.get(`/cosmos/auth/v1beta1/account_info/${address}`, readInfo, { signal });
  return (await absentIf(isNotFound, asked)) ?? { accountNumber: 0n, sequence: 0n };
}

function readInfo(answer: Answer): AccountState {
  const info = answer.field("info");
  return { accountNumber: info.field("account_number").u64(), sequence: info.field("sequence").u64() };
}
