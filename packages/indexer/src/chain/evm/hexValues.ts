import { NodeError } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import type { HexAddress } from "../nftChain.ts";
import type { EvmRpc } from "./evmRpc.ts";

/** The zero address, which a mint comes from and a burn goes to. */
export const zeroAddress: HexAddress = `0x${"0".repeat(40)}`;

/** A height or another count as JSON-RPC takes it. */
export function quantity(count: number): string {
  return `0x${count.toString(16)}`;
}

/**
 * A JSON-RPC quantity (`0x` and hex digits) that has to be a count of blocks, places or seconds.
 *
 * @throws NodeError `NODE_BAD_RESPONSE` for anything else.
 */
export function readCount(rpc: EvmRpc, method: string, value: unknown): number {
  const count = typeof value === "string" && /^0x[0-9a-f]{1,14}$/i.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw badAnswer(rpc, method, "something that is not a number", value);
  return count;
}

/**
 * Hex of so many bytes, in lower case.
 *
 * @throws NodeError `NODE_BAD_RESPONSE` for anything else.
 */
export function readBytes(rpc: EvmRpc, method: string, value: unknown, bytes: number): HexAddress {
  if (typeof value !== "string" || value.length !== 2 + 2 * bytes || !isHex(value)) {
    throw badAnswer(rpc, method, `something that is not hex of ${bytes} bytes`, value);
  }
  return asHex(value);
}

/** True for `0x` and hex digits, whose number is even. */
export function isHex(value: string): boolean {
  return value.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(value);
}

/** Lower-case hex; of what {@link isHex} says yes to. */
export function asHex(value: string): HexAddress {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- begins with 0x
  return value.toLowerCase() as HexAddress;
}

/** The address in the low 20 bytes of a word, as the EVM reads one. */
export function addressOfWord(word: string): HexAddress {
  return `0x${word.slice(-40)}`;
}

/** The error for an answer that is not what the method answers. */
export function badAnswer(rpc: EvmRpc, method: string, what: string, value: unknown): NodeError {
  const details = (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 200);
  return new NodeError(`${rpc.endpoint} answered ${method} with ${what}`, { code: "NODE_BAD_RESPONSE", details });
}

/** The fields of an answer that has to be a JSON object. */
export function readObject(rpc: EvmRpc, method: string, value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw badAnswer(rpc, method, "something that is not an object", value);
  return value;
}
