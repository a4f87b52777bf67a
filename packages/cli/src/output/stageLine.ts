import type { ContractIdentity } from "@vipscore/core";
import type { VipStage } from "@vipscore/l1";
import { l1StageText } from "../l1/l1Stage.ts";
import { count, group, shortAddress } from "./numbers.ts";

/** `open, total 1,200,000, 2,500 accounts   (chain 31337, contract 0x1F00…d0E2, height 481,220; L1 stage 12, …)`. */
export function stageLine(
  identity: ContractIdentity,
  state: { readonly isFinalized: boolean; readonly total: bigint; readonly accounts: number; readonly height: bigint },
  l1: VipStage | undefined,
): string {
  const what = `${state.isFinalized ? "finalized" : "open"}, total ${group(state.total)}, ${count(state.accounts, "account")}`;
  const { chainId, address } = identity;
  const known = l1 === undefined ? "" : `; ${l1StageText(l1)}`;
  return `${what}   (chain ${chainId}, contract ${shortAddress(address)}, height ${group(state.height)}${known})`;
}
