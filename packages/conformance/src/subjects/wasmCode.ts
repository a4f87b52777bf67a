import type { Account } from "@vipscore/core";
import { moduleExports } from "@vipscore/wasm";
import { accountOfAddress } from "./wasmChain.ts";

/** What a Wasm module holds. */
export interface WasmCode {
  /** The names that it exports. */
  readonly exported: ReadonlySet<string>;
  /** What may be constants of type u64. */
  readonly numbers: readonly bigint[];
  /** Accounts whose addresses are texts. */
  readonly accounts: readonly Account[];
  /** Names in lists, as Rust keeps those of messages and fields. */
  readonly names: readonly string[];
}

/** The part of Node's global that its types lack. */
declare const WebAssembly: {
  readonly Module: { new (bytes: Uint8Array): object; imports(module: object): readonly { readonly name: string }[] };
  readonly Instance: new (module: object, imports: object) => { exports: Record<"memory", { buffer: ArrayBuffer }> };
};

/** Reads a module that a chain takes. */
export function readWasmCode(code: Buffer): WasmCode {
  return { exported: moduleExports(code), numbers: numbersOf(code), accounts: accountsIn(code), names: namesIn(code) };
}

/** Returns the texts in the first memory that an address and a length beside it refer to. */
function namesIn(code: Buffer): readonly string[] {
  const module = new WebAssembly.Module(new Uint8Array(code));
  const env = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, () => 0]));
  const memory = Buffer.from(new WebAssembly.Instance(module, { env }).exports.memory.buffer);
  const names = new Set<string>();
  for (let at = 0; at + 8 <= memory.length; at += 4) {
    const [place, length] = [memory.readUInt32LE(at), memory.readUInt32LE(at + 4)];
    if (place === 0 || length < 3 || length > 40 || place + length > memory.length) continue;
    const text = memory.toString("latin1", place, place + length);
    if (/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(text)) names.add(text);
  }
  return [...names];
}

/** Returns what may be constants of type u64: the number after each byte that is the instruction i64.const. */
function numbersOf(code: Buffer): readonly bigint[] {
  const numbers = new Set<bigint>();
  for (let at = code.indexOf(i64Const); at !== -1; at = code.indexOf(i64Const, at + 1)) {
    let number = 0n;
    for (let index = 0; index < 10; index += 1) {
      const byte = code[at + 1 + index] ?? 0;
      number |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) break;
    }
    number = BigInt.asUintN(64, number);
    // Most larger ones are other bytes.
    if (number > 1n && number < 2n ** 54n) numbers.add(number);
  }
  return [...numbers];
}

const i64Const = 0x42;

function accountsIn(code: Buffer): readonly Account[] {
  const texts = code.toString("latin1").match(/init1[02-9ac-hj-np-z]{38}(?:[02-9ac-hj-np-z]{20})?/g) ?? [];
  return [...new Set(texts)].flatMap((text) => {
    try {
      return [accountOfAddress(text)];
    } catch {
      return [];
    }
  });
}
