import binaryen from "binaryen";
import { expect, it } from "vitest";

import { checkModule } from "./checkModule.ts";
import { optimise } from "./wasmOpt.ts";

const entryPoints = ["interface_version_8", "allocate", "deallocate", "instantiate", "execute", "query", "migrate"];
const exported = entryPoints.map((name) => `(func (export "${name}"))`);

/** The part that the test uses of what Node has without declaring it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly instantiate: (module: Uint8Array) => Promise<{ readonly instance: { readonly exports: unknown } }>;
  };
};

/** A module that a chain would store, with parts added, and without some entry points. */
function moduleOf(parts: string, without: readonly string[] = []): Uint8Array {
  const exports = exported.filter((text) => !without.some((name) => text.includes(`"${name}"`)));
  return assemble(`(module ${parts} ${exports.join(" ")})`);
}

function assemble(text: string): Uint8Array {
  const module = binaryen.parseText(text);
  // As the compiler's default would: more than WebAssembly 1.0.
  module.setFeatures(binaryen.Features.All);
  const binary = module.emitBinary();
  module.dispose();
  return binary;
}

const memory = '(memory (export "memory") 1)';

it("takes a module that has what a chain asks for", async () => {
  const parts = `(import "env" "db_read" (func (param i32) (result i32))) ${memory} (table 3 3 funcref)`;
  expect(await checkModule(moduleOf(parts))).toEqual([]);
  expect(await checkModule(moduleOf(`${memory} (func (export "requires_iterator"))`))).toEqual([]);
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
  expect(problem).toContain("no valid WebAssembly 1.0");
  expect(problem).toMatch(reason);
  expect(others).toEqual([]);
});

it.each([
  ["a start function", `${memory} (func $start) (start $start)`, "it has a start function"],
  ["no memory", "", "it has no memory"],
  ["a memory with a maximum", "(memory 1 2)", "its memory has a maximum; the host sets that"],
  ["a large memory", "(memory 513)", "its memory starts with 513 pages; the most is 512"],
  ["a table without a maximum", `${memory} (table 1 funcref)`, "its table has no maximum"],
  ["a large table", `${memory} (table 1 2501 funcref)`, "its table may grow to 2501 elements; the most is 2500"],
  [
    "an import that the host does not have",
    `(import "env" "abortStackOverflow" (func)) ${memory}`,
    "it imports the function env.abortStackOverflow, which the host does not have",
  ],
  [
    "an import of another module",
    `(import "wbg" "db_read" (func)) ${memory}`,
    "it imports the function wbg.db_read, which the host does not have",
  ],
  [
    "an import that is no function",
    `(import "env" "db_read" (global i32)) ${memory}`,
    "it imports env.db_read, which is no function",
  ],
  [
    "a capability that rollups do not have",
    `${memory} (func (export "requires_cosmwasm_3_0"))`,
    "it requires the capability cosmwasm_3_0, which a rollup does not have",
  ],
  [
    "two interface versions",
    `${memory} (func (export "interface_version_7"))`,
    "it exports more than one interface version: interface_version_7, interface_version_8",
  ],
  [
    "a function with many locals",
    `${memory} (func ${"(local i32)".repeat(101)})`,
    "a function of it has 101 locals; the most is 100",
  ],
  [
    "a function with many parameters",
    `${memory} (func ${"(param i32)".repeat(101)})`,
    "a function of it has 101 parameters; the most is 100",
  ],
])("refuses %s", async (_, parts, problem) => {
  expect(await checkModule(moduleOf(parts))).toEqual([problem]);
});

it.each(entryPoints)("refuses a module without %s", async (name) => {
  expect(await checkModule(moduleOf(memory, [name]))).toEqual([`it does not export ${name}`]);
});

it("the optimiser rewrites what a prebuilt standard library holds", async () => {
  const newer = moduleOf(`${memory}
    (func (export "copy") (param i32 i32 i32)
      (memory.copy (local.get 0) (local.get 1) (local.get 2))
      (memory.fill (local.get 0) (i32.const 7) (i32.const 2)))
    (func (export "widen") (param i32) (result i32) (i32.extend8_s (local.get 0)))`);
  expect(await checkModule(newer)).toEqual([expect.stringContaining("no valid WebAssembly 1.0")]);

  const rewritten = await optimise(newer);
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
