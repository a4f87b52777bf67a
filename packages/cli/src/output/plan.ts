import { formatChecksummed, type ContractIdentity, type PushPlan, type ScoreRow } from "@vipscore/core";
import { count, formatGas, formatTokens, group, shortAddress, shortDigest } from "@vipscore/core/values";
import type { VipStage } from "@vipscore/l1";
import { l1StageText } from "../l1/openL1.ts";
import { formatPairs, formatTable, type Pair } from "./table.ts";

export function planText(
  plan: PushPlan,
  file: string,
  {
    identity,
    l1,
    columns,
  }: { readonly identity: ContractIdentity; readonly l1: VipStage | undefined; readonly columns: number },
): string {
  const { table, counts, chain, height } = plan;
  const state = { isFinalized: false, total: chain.total, accounts: chain.accounts, height };
  const lines = [
    ...formatTable([
      [file, `${count(table.size, "row")}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`],
      [`stage ${plan.stage}`, stageLine(identity, state, l1)],
    ]),
    "",
    ...formatPairs([changePairs(plan), costPairs(plan)], columns),
  ];
  const trade = entryPointText(plan);
  if (trade !== undefined) lines.push("", `  ${trade}`);
  if (counts.extra > 0) {
    lines.push(
      "",
      `  extra ${group(counts.extra)}: ${counts.extra === 1 ? "an account with a score is" : "accounts with a score are"} missing from ${file}`,
    );
  }
  return lines.join("\n");
}

/** Compares the cost of both entry points, and names the drawback of the cheap one; undefined if they were not compared. */
function entryPointText({ gas, price, packed, otherEntryPoint: other, quote }: PushPlan): string | undefined {
  if (other === undefined) return undefined;
  const cost = (of: { readonly gas: bigint; readonly price: bigint }): string =>
    of.price === 0n ? `${formatGas(of.gas)} gas` : formatTokens(of.price, quote.token, "up");
  const [published, cheap] = packed ? [other, { gas, price }] : [{ gas, price }, other];
  if (cost(cheap) === cost(published)) return undefined;
  return `--packed costs ${cost(cheap)} instead of ${cost(published)}; explorers that follow UpdateScore events do not see these scores`;
}

function changePairs({ counts, prune }: PushPlan): readonly Pair[] {
  return [
    ["add", group(counts.add)],
    ["change", group(counts.change)],
    ["unchanged", group(counts.unchanged)],
    [prune ? "to zero (--prune)" : "to zero", group(counts.toZero)],
  ];
}

function costPairs({ batches, gas, price, maxFee, fees, quote }: PushPlan): readonly Pair[] {
  return [
    ["batches", group(batches.length)],
    ["gas", formatGas(gas)],
    ["price", formatTokens(price, quote.token, "up")],
    ["at most", formatTokens(maxFee, quote.token, "down")],
    ...(fees === undefined ? [] : [["balance", formatTokens(fees.balance, fees.token, "down")] as const]),
  ];
}

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

/** Returns a plan for `--json`: u64 values, gas and heights as decimal text, counts as numbers. */
export function planJson(plan: PushPlan) {
  const { counts, chain, height, packed, rows, batches, gas, price, maxFee, otherEntryPoint, fees, quote } = plan;
  return {
    height,
    chain: { total: chain.total, accounts: chain.accounts },
    ...counts,
    rowsToWrite: rows.length,
    batches: batches.length,
    packed,
    gas,
    price,
    maxFee,
    otherEntryPoint,
    balance: fees?.balance,
    token: quote.token,
  };
}

export function rowJson({ account, score }: ScoreRow) {
  return { address: formatChecksummed(account), score };
}
