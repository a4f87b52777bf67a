import { matching, object, type Field } from "@vipscore/core/field";
import { sourceFields } from "../sourceFields.ts";
import { eventFields, eventReaders, type EventFields } from "./eventFields.ts";

/** A source of kind `move_events`: the events of one Move type. */
export interface MoveEventsDefinition extends EventFields {
  readonly kind: "move_events";
  readonly name: string;
  /**
   * The type as Move writes it: addresses in lower case without leading zeros, no spaces. Without type arguments, it stands for
   * those with any.
   */
  readonly type: string;
}

/** An address, a module and a structure, and perhaps type arguments. */
const typePattern = /^0x[0-9a-f]{1,64}::[a-z_]\w*::[a-z_]\w*(?:<[\w:,<>\s]+>)?$/i;

const readFields = object({
  ...sourceFields,
  ...eventReaders,
  type: matching(typePattern, "address, module and structure, as in 0x1::fungible_asset::DepositEvent"),
});

/** Reads the fields of a Move event. @throws InputError `POLICY_INVALID`. */
export function readMoveEventsDefinition(source: Field): MoveEventsDefinition {
  const { name, type, ...event } = readFields(source);
  return { kind: "move_events", name, type: canonicalType(type), ...eventFields(event) };
}

/** A type with addresses in lower case and without leading zeros, as Move writes them, and without spaces. */
export function canonicalType(text: string): string {
  return text
    .replaceAll(/\s/g, "")
    .replaceAll(/\b0x0*([0-9a-f]+)(?=::)/gi, (_, digits: string) => `0x${digits.toLowerCase()}`);
}
