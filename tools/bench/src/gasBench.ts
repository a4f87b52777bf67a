import { parseArgs } from "node:util";
import { measureEvmGas } from "./evmGas.ts";
import type { GasCase } from "./gasCase.ts";
import { measureMoveGas } from "./moveGas.ts";
import { measureWasmGas } from "./wasmGas.ts";

/** Measures and prints gas per score, next to the reference contract's: `gasBench --vm evm [--json]`. */
const benches: Readonly<Record<string, () => Promise<readonly GasCase[]>>> = {
  evm: measureEvmGas,
  move: measureMoveGas,
  wasm: measureWasmGas,
};

const { values } = parseArgs({ options: { vm: { type: "string" }, json: { type: "boolean", default: false } } });
const vm = values.vm ?? "";
const measure = benches[vm];
if (measure === undefined) {
  console.error(`--vm "${vm}" has no gas bench; there is one for: ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
const cases = await measure();
if (values.json) console.log(JSON.stringify({ vm, cases }));
else printTable(cases);

function targetText({ ratio, target }: GasCase): string {
  if (target === undefined) return "";
  return `<= ${target}${ratio <= target ? "" : "  missed"}`;
}

function printTable(rows: readonly GasCase[]): void {
  const titles = ["case", "gas a score", "reference", "ratio", "target"];
  const cells = rows.map((row) => [
    row.case,
    row.gasPerScore.toFixed(0),
    row.reference.toFixed(0),
    row.ratio.toFixed(3),
    targetText(row),
  ]);
  const widths = titles.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of [titles, ...cells]) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    );
  }
}
