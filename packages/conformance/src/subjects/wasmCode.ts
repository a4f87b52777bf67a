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
}

export function readWasmCode(code: Buffer): WasmCode {
  return { exported: moduleExports(code), numbers: numbersOf(code), accounts: accountsIn(code) };
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
