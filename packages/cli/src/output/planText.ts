import type { ContractIdentity, PushPlan } from "@vipscore/core";
import { count, formatGas, formatTokens, group, shortAddress, shortDigest } from "@vipscore/core/values";
import type { VipStage } from "@vipscore/l1";
import { l1StageText } from "../l1/l1Stage.ts";

/** Returns the plan of a push for people. */
export function planText(plan: PushPlan, file: string, identity: ContractIdentity, l1: VipStage | undefined): string {
  const { table, counts, chain, height } = plan;
  const stageLabel = `stage ${plan.stage}`;
  const width = Math.max(file.length, stageLabel.length) + 2;
  const state = { isFinalized: false, total: chain.total, accounts: chain.accounts, height };
  const lines = [
    `${file.padEnd(width)}${count(table.size, "row")}, total ${group(table.total)}, sha256 ${shortDigest(table.digest())}`,
    `${stageLabel.padEnd(width)}${stageLine(identity, state, l1)}`,
    "",
    ...grid([changeCells(plan), costCells(plan)]),
  ];
  if (plan.prune) lines[lines.length - 2] += "  (--prune)";
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
function entryPointText({ gas, price, packed, otherEntryPoint: other, fees }: PushPlan): string | undefined {
  if (other === undefined) return undefined;
  const cost = (of: { readonly gas: bigint; readonly price: bigint | undefined }): string =>
    fees === undefined || of.price === undefined || of.price === 0n
      ? `${formatGas(of.gas)} gas`
      : formatTokens(of.price, fees.token, "up");
  const [published, cheap] = packed ? [other, { gas, price }] : [{ gas, price }, other];
  return `--packed costs ${cost(cheap)} instead of ${cost(published)}; explorers that follow UpdateScore events do not see these scores`;
}

type Cell = readonly [label: string, value: string];

function changeCells({ counts }: PushPlan): readonly Cell[] {
  return [
    ["add", group(counts.add)],
    ["change", group(counts.change)],
    ["unchanged", group(counts.unchanged)],
    ["to zero", group(counts.toZero)],
  ];
}

function costCells({ batches, gas, price, fees }: PushPlan): readonly Cell[] {
  const known: readonly Cell[] = [
    ["batches", group(batches.length)],
    ["gas", formatGas(gas)],
  ];
  if (fees === undefined || price === undefined) return known;
  return [
    ...known,
    ["price", formatTokens(price, fees.token, "up")],
    ["balance", formatTokens(fees.balance, fees.token, "down")],
  ];
}

/** Aligns cells in columns: labels to the left, values to the right. */
function grid(rows: readonly (readonly Cell[])[]): readonly string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widthOf = (column: number, part: 0 | 1): number =>
    Math.max(...rows.map((row) => row[column]?.[part].length ?? 0));
  const widths = Array.from({ length: columns }, (_, column) => [widthOf(column, 0), widthOf(column, 1)] as const);
  return rows.map((row) => {
    const cells = row.map(([label, value], column) => {
      const [labels, values] = widths[column] ?? [0, 0];
      return `${label.padEnd(labels)}  ${value.padStart(values)}`;
    });
    return `  ${cells.join("     ")}`;
  });
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
