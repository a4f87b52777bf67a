import binaryen from "binaryen";
import { expect, it } from "vitest";
import { checkModule } from "../src/checkModule.ts";
import { optimize } from "../src/wasmOpt.ts";

const entryPoints = ["instantiate", "execute", "query", "migrate"];
const exported = entryPoints.map((name) => `(func (export "${name}"))`);

/** The part of Node's undeclared API that the test uses. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly instantiate: (module: Uint8Array) => Promise<{ readonly instance: { readonly exports: unknown } }>;
  };
};

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

it("the optimizer rewrites newer instructions of a prebuilt standard library", async () => {
  const newer = moduleOf(`${memory}
    (func (export "copy") (param i32 i32 i32)
      (memory.copy (local.get 0) (local.get 1) (local.get 2))
      (memory.fill (local.get 0) (i32.const 7) (i32.const 2)))
    (func (export "widen") (param i32) (result i32) (i32.extend8_s (local.get 0)))`);
  expect(await checkModule(newer)).toEqual([expect.stringContaining("WebAssembly 1.0")]);

  const rewritten = await optimize(newer);
  expect(await checkModule(rewritten)).toEqual([]);
  const { instance } = await WebAssembly.instantiate(rewritten);
  const host = instance.exports as {
    readonly memory: { readonly buffer: ArrayBuffer };
    readonly copy: (to: number, from: number, length: number) => void;
    readonly widen: (value: number) => number;
  };
  const bytes = new Uint8Array(host.memory.buffer);
  bytes.set([1, 2, 3, 4, 5], 10);
  host.copy(12, 10, 5);
  expect([...bytes.subarray(10, 17)]).toEqual([1, 2, 7, 7, 3, 4, 5]);
  expect([host.widen(200), host.widen(100)]).toEqual([-56, 100]);
});
