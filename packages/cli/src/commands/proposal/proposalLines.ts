import { isObject } from "@vipscore/core/wire";
import type { VipMessage } from "@vipscore/l1";
import { escapeText } from "../../output/escapeText.ts";

const shownFields = ["title", "summary", "metadata", "proposer", "initial_deposit", "expedited"] as const;

/**
 * Returns what a proposal's message says beside its call, read from the message itself. Lines of a text are indented, so that
 * none can pass for a field.
 */
export function proposalLines(message: VipMessage): readonly string[] {
  const width = Math.max(...shownFields.map((name) => name.length)) + 2;
  return shownFields.flatMap((name) => {
    const text = valueText(message[name]);
    return text === undefined
      ? []
      : [`${name.padEnd(width)}${escapeText(text).replaceAll("\n", `\n${" ".repeat(width)}`)}`];
  });
}

function valueText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(coinText).join(", ");
  return typeof value === "string" || typeof value === "boolean" ? `${value}` : undefined;
}

function coinText(coin: unknown): string {
  if (!isObject(coin)) return "";
  return ["amount", "denom"].map((name) => valueText(coin[name]) ?? "").join("");
}
