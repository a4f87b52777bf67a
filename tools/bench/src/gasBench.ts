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
else {
  console.table(
    cases.map(({ case: name, gasPerScore, reference, ratio, target }) => ({
      case: name,
      "gas a score": Math.round(gasPerScore),
      reference: Math.round(reference),
      ratio,
      target: target === undefined ? "" : `<= ${target}${ratio <= target ? "" : "  missed"}`,
    })),
  );
}
