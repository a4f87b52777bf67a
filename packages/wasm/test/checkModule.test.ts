import binaryen from "binaryen";
import { expect, it } from "vitest";
import { checkModule, optimize } from "../scripts/checkModule.ts";

const entryPoints = ["instantiate", "execute", "query", "migrate"];
const exported = entryPoints.map((name) => `(func (export "${name}"))`);

/** A module with all entry points, with parts added, and without some entry points. */
function moduleOf(parts: string, without: readonly string[] = []): Uint8Array {
  const exports = exported.filter((text) => !without.some((name) => text.includes(`"${name}"`)));
  return assemble(`(module ${parts} ${exports.join(" ")})`);
}

function assemble(text: string): Uint8Array {
  const module = binaryen.parseText(text);
  // As the compiler's default: newer than WebAssembly 1.0.
  module.setFeatures(binaryen.Features.All);
  const binary = module.emitBinary();
  module.dispose();
  return binary;
}

const memory = '(memory (export "memory") 1)';

it("accepts a module with all entry points", async () => {
  expect(await checkModule(moduleOf(memory))).toEqual([]);
});

it.each([
  ["bulk memory", "(func (memory.fill (i32.const 0) (i32.const 0) (i32.const 9)))", /memory.fill/],
  ["sign extension", "(func (result i32) (i32.extend8_s (i32.const 200)))", /extend8_s/],
  ["a saturating conversion", "(func (result i32) (i32.trunc_sat_f64_s (f64.const 1e300)))", /trunc_sat/],
  ["reference types", "(func (result externref) (ref.null extern))", /reference/i],
  ["a vector", "(func (result i32) (i8x16.all_true (v128.const i32x4 1 1 1 1)))", /v128/],
  ["more than one result", "(func (result i32 i32) (unreachable))", /multivalue/i],
])("refuses %s", async (_, part, reason) => {
  const [problem, ...others] = await checkModule(moduleOf(`${memory} ${part}`));
  expect(problem).toContain("WebAssembly 1.0");
  expect(problem).toMatch(reason);
  expect(others).toEqual([]);
});

it.each(entryPoints)("rejects a module without %s", async (name) => {
  expect(await checkModule(moduleOf(memory, [name]))).toEqual([expect.stringMatching(new RegExp(`\\b${name}$`))]);
});

it("the optimizer refuses newer instructions", async () => {
  const copying = moduleOf(`${memory}
    (func (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2)))`);
  await expect(optimize(copying)).rejects.toThrow("memory.copy");
});
