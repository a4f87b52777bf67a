import { bcs } from "@initia/initia.js";
import type { RandomValues } from "../randomValues.ts";
import { moveHex } from "./moveCalls.ts";

/** Returns a random argument of a Move type in BCS; for a type that no transaction can pass, the bytes of an address. */
export function moveArgument(type: string, values: RandomValues): Buffer {
  const [, outer = type, inner = ""] = /^([\w:]+)<(.*)>$/.exec(type) ?? [];
  if (outer === "vector") {
    const elements = Array.from({ length: values.length }, () => moveArgument(inner, values));
    return Buffer.concat([Buffer.from([elements.length]), ...elements]);
  }
  if (outer === "0x1::option::Option") {
    return values.flag() ? Buffer.concat([Buffer.from([1]), moveArgument(inner, values)]) : Buffer.from([0]);
  }
  const bits = /^u(\d+)$/.exec(outer)?.[1];
  if (bits !== undefined) return littleEndian(values.number(Number(bits)), Number(bits) / 8);
  if (outer === "bool") return Buffer.from([values.flag() ? 1 : 0]);
  if (outer === "0x1::string::String") return Buffer.from(bcs.string().serialize("text").toBytes());
  return Buffer.from(moveHex(values.account()), "hex");
}

function littleEndian(value: bigint, size: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * size, "0"), "hex").reverse();
}
