import type { VmEvent } from "./blockEvents.ts";

/**
 * The type of a Move event as the chain writes it; empty for other events. The chain also adds the event's fields as
 * attributes, after its type and data: a field named `type_tag` must not be mistaken for the type.
 */
export function moveTypeTag({ type, attributes }: VmEvent): string {
  const [first] = attributes;
  return type === "move" && first?.[0] === "type_tag" ? first[1] : "";
}
