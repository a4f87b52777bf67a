import { TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { parseAccount } from "@vipscore/core";
import { isObject, readFields } from "@vipscore/core/wire";
import { zeroAddress, type HexAddress } from "../hexAddress.ts";

/** The call that a message of a transaction makes, and its sender. */
export interface MessageCall {
  /**
   * The account in the message's field with the lowest number that holds one, which is its signer; in the fields of its fields
   * if it holds none itself. Twenty zero bytes if there is no account.
   */
  readonly sender: HexAddress;
  /** The called contract, on Move the account of the called module; undefined for other messages. */
  readonly contract: HexAddress | undefined;
  /**
   * `module::function` on Move, the name of the contract's message on Wasm; the message's type URL if it calls no function, or
   * if its contract's message is not JSON.
   */
  readonly function: string;
}

/*
 * Fields of calls, from the chains' protobuf: initia/move/v1/tx.proto of initia, as in @initia/initia.proto 1.0.6, and
 * cosmwasm/wasm/v1/tx.proto of wasmd, as in cosmjs-types 0.11.0. Field 1 is the sender in all three.
 */
const moveFields = { address: 2, module: 3, function: 4 } as const;
const wasmFields = { contract: 2, message: 3 } as const;

/**
 * The zero address with 20 and with 32 bytes. Some contracts can transfer tokens to it; `parseAccount` refuses it because it
 * cannot have a score.
 */
const zeroSpellings: ReadonlySet<string> = new Set([
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa4qvvl",
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqu2lkzy",
]);

/** Parses a bech32 address; undefined if it is not one. */
export function readBech32(text: string): HexAddress | undefined {
  if (zeroSpellings.has(text)) return zeroAddress;
  if (!text.startsWith("init1")) return undefined;
  try {
    return parseAccount(text, { accountBytes: [20, 32] });
  } catch {
    return undefined;
  }
}

/** Parses Move's hex address, which has no leading zeros; undefined if it is not one. */
export function readMoveAddress(text: string): HexAddress | undefined {
  const [, digits] = /^0x([0-9a-f]{1,64})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const full = digits.toLowerCase().padStart(64, "0");
  return full.startsWith("0".repeat(24)) ? `0x${full.slice(24)}` : `0x${full}`;
}

const readersOfCalls: ReadonlyMap<string, (fields: Fields) => Called> = new Map([
  ["/initia.move.v1.MsgExecute", readMoveCall],
  ["/initia.move.v1.MsgExecuteJSON", readMoveCall],
  ["/cosmwasm.wasm.v1.MsgExecuteContract", readWasmCall],
]);

interface Called {
  readonly contract: HexAddress | undefined;
  /** Undefined if it cannot be read. */
  readonly name: string | undefined;
}

/** Maximum depth of the search for an account in a message: MsgMultiSend has its senders in a list of structures. */
const maxDepth = 3;

/** Decodes the messages of a transaction. Messages inside messages, such as those of authz, count as the outer one. */
export function decodeCalls(transaction: Uint8Array): readonly MessageCall[] {
  const { messages } = TxBody.decode(TxRaw.decode(transaction).bodyBytes);
  return messages.map(({ typeUrl, value }) => {
    const fields = bytesIn(value);
    const called = readersOfCalls.get(typeUrl)?.(fields);
    const sender = findAccount(fields, maxDepth) ?? zeroAddress;
    return { sender, contract: called?.contract, function: called?.name ?? typeUrl };
  });
}

/** The byte fields of a message by their numbers, ascending. */
type Fields = ReadonlyMap<number, readonly Uint8Array[]>;

function bytesIn(message: Uint8Array): Fields {
  const fields = new Map<number, Uint8Array[]>();
  for (const [number, value] of readFields(message)) {
    if (typeof value === "bigint") continue;
    const known = fields.get(number);
    if (known === undefined) fields.set(number, [value]);
    else known.push(value);
  }
  return new Map([...fields].sort(([one], [other]) => one - other));
}

function findAccount(fields: Fields, depth: number): HexAddress | undefined {
  const values = [...fields.values()].flat();
  for (const value of values) {
    const account = value.length <= longestAccount ? readBech32(decodeUtf8(value)) : undefined;
    if (account !== undefined) return account;
  }
  if (depth === 1) return undefined;
  for (const value of values) {
    const account = findAccount(tryFields(value), depth - 1);
    if (account !== undefined) return account;
  }
  return undefined;
}

/** Fields of bytes that may be a structure; none if they are not. */
function tryFields(bytes: Uint8Array): Fields {
  try {
    return bytesIn(bytes);
  } catch {
    return new Map();
  }
}

/** Length of the longest account in bech32, of 32 bytes. */
const longestAccount = 63;

function readMoveCall(fields: Fields): Called {
  const text = (number: number): string => decodeUtf8(fields.get(number)?.at(-1));
  const address = text(moveFields.address);
  return {
    contract: readMoveAddress(address) ?? readBech32(address),
    name: `${text(moveFields.module)}::${text(moveFields.function)}`,
  };
}

function readWasmCall(fields: Fields): Called {
  const text = (number: number): string => decodeUtf8(fields.get(number)?.at(-1));
  return { contract: readBech32(text(wasmFields.contract)), name: messageName(text(wasmFields.message)) };
}

/** The name of a contract's message: the first key of an object, or the whole of a text. */
function messageName(message: string): string | undefined {
  try {
    const value: unknown = JSON.parse(message);
    if (typeof value === "string") return value;
    return isObject(value) ? Object.keys(value)[0] : undefined;
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString("utf8");
}
