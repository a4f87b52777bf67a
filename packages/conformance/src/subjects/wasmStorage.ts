import type { WasmChain } from "./wasmChain.ts";

/**
 * Returns a line for each record of a contract that a transaction changed, of those whose key has the number of a stage: eight bytes
 * in either order, or decimal digits.
 */
export async function changedRecords(
  chain: WasmChain,
  { contract, stage, hash }: { readonly contract: string; readonly stage: bigint; readonly hash: string },
): Promise<readonly string[]> {
  const height = await chain.heightOf(hash);
  const [before, after] = await Promise.all([chain.stateOf(contract, height - 1), chain.stateOf(contract, height)]);
  const bytes = Buffer.from(stage.toString(16).padStart(16, "0"), "hex");
  const numbers = [bytes, Buffer.from(bytes).reverse(), Buffer.from(String(stage))].map((text) => text.toString("hex"));
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => numbers.some((number) => key.includes(number)) && before.get(key) !== after.get(key))
    .map((key) => `record ${readable(key)} from ${before.get(key) ?? "nothing"} to ${after.get(key) ?? "nothing"}`);
}

function readable(hex: string): string {
  return Buffer.from(hex, "hex")
    .toString("latin1")
    .replaceAll(/[^ -~]+/g, ".");
}
