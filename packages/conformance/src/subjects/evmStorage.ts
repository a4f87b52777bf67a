import { hexToBytes, keccak256, numberToHex, toHex, type Hex, type PublicClient } from "viem";
import type { Account } from "@vipscore/core";
import { accountOfWord } from "./evmCode.ts";

type Slots = Readonly<Record<Hex, Hex>>;
type Accounts = Readonly<Record<Hex, { readonly storage?: Slots }>>;

interface TracerSchema {
  readonly Method: "debug_traceTransaction";
  readonly Parameters: readonly [hash: Hex, options: object];
  readonly ReturnType: { readonly pre: Accounts; readonly post: Accounts; readonly structLogs: readonly Step[] };
}

/** A step of a transaction, before its instruction; the stack's last element is on top. */
interface Step {
  readonly op: string;
  readonly depth: number;
  readonly stack: readonly string[];
}

/** A struct or a list under a mapping's key has its slots from the key's slot on. */
const slotsOfKey = 2n ** 32n;

/**
 * Returns each slot, with a line for it, that a transaction changed, in any contract, of those that Solidity and Vyper derive from
 * the numbers of stages: the slots of a mapping's key, and of mappings and lists below it.
 */
export async function changedSlots(
  client: PublicClient,
  stages: readonly bigint[],
  hash: Hex,
): Promise<ReadonlyMap<Hex, string>> {
  const changes = slotChanges(await readDifference(client, hash));
  if (changes.length === 0) return new Map();
  const { structLogs } = await client.request<TracerSchema>({
    method: "debug_traceTransaction",
    params: [hash, { enableMemory: false, disableStorage: true, enableReturnData: false }],
  });
  const own = slotsOf(stages, structLogs);
  const found = changes.filter(({ slot }) => isAt(own, BigInt(slot)));
  return new Map(
    found.map(({ address, slot, from, to }) => [
      slot,
      `slot ${slot} of ${address} from ${short(from)} to ${short(to)}`,
    ]),
  );
}

/** Returns the accounts that may be among the values that a transaction stored. */
export async function storedAccounts(client: PublicClient, hash: Hex): Promise<readonly Account[]> {
  const words = slotChanges(await readDifference(client, hash)).map(({ to }) => BigInt(to));
  const parts = words.flatMap((word) =>
    word < 2n ** 160n ? [word] : placesInSlot.map((place) => BigInt.asUintN(160, word >> place)),
  );
  const accounts = new Set(parts.filter((part) => part > 2n ** 144n).map(accountOfWord));
  // A flag above zeros is not an account.
  return [...accounts].filter((account) => new Set(account).size > 6);
}

/** Bits below an account in a slot: none, or those of a flag, a u32, a u64 or 12 bytes. */
const placesInSlot = [0n, 8n, 32n, 64n, 96n];

function readDifference(client: PublicClient, hash: Hex): Promise<TracerSchema["ReturnType"]> {
  return client.request<TracerSchema>({
    method: "debug_traceTransaction",
    params: [hash, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }],
  });
}

function slotChanges({ pre, post }: TracerSchema["ReturnType"]) {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as readonly Hex[];
  return addresses.flatMap((address) => {
    const [before, after]: readonly [Slots, Slots] = [pre[address]?.storage ?? {}, post[address]?.storage ?? {}];
    const slots = [...new Set([...Object.keys(before), ...Object.keys(after)])] as readonly Hex[];
    // A tracer leaves out a slot whose value is 0.
    const changes = slots.map((slot) => ({ address, slot, from: before[slot] ?? "0x0", to: after[slot] ?? "0x0" }));
    return changes.filter(({ from, to }) => BigInt(from) !== BigInt(to));
  });
}

/** The hashes of a transaction's steps whose input has a stage's number, or a slot that such a hash leads to. */
function slotsOf(stages: readonly bigint[], steps: readonly Step[]): readonly bigint[] {
  const numbers = stages.map((stage) => numberToHex(stage, { size: 8 }).slice(2));
  const found: bigint[] = [];
  /** The memory of each call in progress. */
  const memories: Uint8Array[] = [];
  for (const { op, depth, stack } of steps) {
    memories.length = depth;
    const memory = (memories[depth - 1] ??= new Uint8Array(memorySize));
    const [first, second, third] = [stack.at(-1), stack.at(-2), stack.at(-3)].map(wordValue) as [
      bigint,
      bigint,
      bigint,
    ];
    if (op === "MSTORE") copyInto(memory, first, hexToBytes(numberToHex(second, { size: 32 })));
    if (op === "MCOPY") copyInto(memory, first, read(memory, second, third));
    if (op !== "KECCAK256" && op !== "SHA3") continue;
    const input = read(memory, first, second);
    const hasSlot = input.length >= 32 && isAt(found, BigInt(toHex(input.subarray(-32))));
    const hasNumber = numbers.some((number) => toHex(input).includes(number));
    if (hasSlot || hasNumber) found.push(BigInt(keccak256(input)));
  }
  return found;
}

/** The emulated part of a call's memory; the inputs of slots are at its start. */
const memorySize = 2 ** 20;

function copyInto(memory: Uint8Array, at: bigint, bytes: Uint8Array): void {
  if (at + BigInt(bytes.length) <= memorySize) memory.set(bytes, Number(at));
}

function read(memory: Uint8Array, at: bigint, length: bigint): Uint8Array {
  return at + length <= memorySize ? memory.slice(Number(at), Number(at + length)) : new Uint8Array();
}

function isAt(bases: readonly bigint[], slot: bigint): boolean {
  return bases.some((base) => slot >= base && slot < base + slotsOfKey);
}

/** A word of the stack; nodes write it with or without the prefix. */
function wordValue(word: string | undefined): bigint {
  return word === undefined ? 0n : BigInt(word.startsWith("0x") ? word : `0x${word}`);
}

function short(word: string): Hex {
  return numberToHex(BigInt(word));
}
