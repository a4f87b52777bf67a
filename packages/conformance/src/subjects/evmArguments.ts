import { toHex, type AbiParameter } from "viem";
import type { RandomValues } from "../randomValues.ts";

/** Returns a random argument of an ABI type. */
export function evmArgument(parameter: AbiParameter, values: RandomValues): unknown {
  const { type } = parameter;
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list !== null) {
    const [, element = "", length = ""] = list;
    const count = length === "" ? values.length : Number(length);
    return Array.from({ length: count }, () => evmArgument({ ...parameter, type: element }, values));
  }
  if (type === "tuple" && "components" in parameter) {
    return parameter.components.map((component) => evmArgument(component, values));
  }
  const [, name = "", size = ""] = /^([a-z]+)(\d*)$/.exec(type) ?? [];
  switch (name) {
    case "uint":
      return values.number(Number(size));
    case "int":
      // Half of the range, so that it is never too large.
      return values.number(Number(size) - 1);
    case "address":
      return values.account();
    case "bool":
      return values.flag();
    case "bytes":
      return toHex(values.bytes(size === "" ? 40 : Number(size)));
    case "string":
      return values.bytes(8).toString("hex");
    default:
      throw new Error(`no random value for the type ${type}`);
  }
}
