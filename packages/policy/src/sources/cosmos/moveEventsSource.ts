import { firstValue, moveTypeTag, readMoveAddress, type VmEvent } from "@vipscore/blocks/cosmos";
import { matching, object, type Field } from "@vipscore/core/field";
import { parseObject } from "@vipscore/core/wire";
import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import { kindOfOtherVm } from "../../policyError.ts";
import { ValueProblem } from "../convertValue.ts";
import { MisfitError } from "../eventRows.ts";
import { sourceFields } from "../sourceFields.ts";
import { cosmosEventsSource, fieldValue } from "./cosmosEventsSource.ts";
import { eventFields, eventReaders, mayLack, type EventFields } from "./eventFields.ts";

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

export function readMoveEventsDefinition(source: Field): MoveEventsDefinition {
  const { name, type, ...event } = readFields(source);
  return { kind: "move_events", name, type: canonicalType(type), ...eventFields(source, event) };
}
readMoveEventsDefinition.schema = readFields.schema;

/** A type with addresses in lower case and without leading zeros, as Move writes them, and without spaces. */
function canonicalType(text: string): string {
  return text
    .replaceAll(/\s/g, "")
    .replaceAll(/\b0x0*([0-9a-f]+)(?=::)/gi, (_, digits: string) => `0x${digits.toLowerCase()}`);
}

type Data = Readonly<Record<string, unknown>>;

export function moveEventsSource(definition: MoveEventsDefinition, node: RollupNode): ChainSource {
  if (node.vm !== "move") throw kindOfOtherVm(definition, node.vm);
  const { type, fields, where } = definition;
  const contract = readMoveAddress(type.slice(0, type.indexOf("::"))) ?? "";
  const isOfType = typeMatcher(type);
  const reader = {
    identity: { type, where },
    isWanted: (event: VmEvent) => {
      if (!isOfType(moveTypeTag(event))) return false;
      const data = readData(event);
      // Without data it is kept, so that it is reported.
      return data === undefined || where.every(([field, text]) => isEqualField(fieldOf(data, field), text));
    },
    readValues: (event: VmEvent, placeOf: () => string) => {
      const data = readData(event);
      if (data === undefined) throw new MisfitError(`${placeOf()} has no JSON object as its data`);
      const values = fields.map((column) => {
        const value = fieldValue(fieldOf(data, column.name), column, readMoveAddress);
        if (!(value instanceof ValueProblem)) return value;
        if (Object.hasOwn(data, column.name)) throw new MisfitError(`${placeOf()}: ${value.message}`);
        const known = Object.keys(data).join(", ");
        throw new MisfitError(`${placeOf()} has no field ${column.name}`, {
          metaMessages: [`Its fields are: ${known}. ${mayLack}`],
        });
      });
      return [contract, ...values];
    },
  };
  return cosmosEventsSource(definition, reader, node.comet);
}

function typeMatcher(type: string): (tag: string) => boolean {
  if (!type.includes("<")) return (tag) => tag === type || tag.startsWith(`${type}<`);
  const prefix = type.slice(0, type.indexOf("<") + 1);
  return (tag) => tag.startsWith(prefix) && canonicalType(tag) === type;
}

function readData({ attributes }: VmEvent): Data | undefined {
  return parseObject(firstValue(attributes, "data") ?? "");
}

/** A field of the data, which names like `constructor` are only if the event has them. */
function fieldOf(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Returns true if a field is what the policy wants; an address may be written in any way that Move reads. */
function isEqualField(value: unknown, text: string): boolean {
  if (typeof value !== "string")
    return (typeof value === "number" || typeof value === "boolean") && `${value}` === text;
  if (value === text) return true;
  const address = readMoveAddress(value);
  return address !== undefined && address === readMoveAddress(text);
}
