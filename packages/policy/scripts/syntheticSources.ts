import { hash } from "node:crypto";
import type { ChainSource, SourcePart } from "../src/chain/chainSource.ts";
import type { RollupNode } from "../src/chain/rollupNode.ts";
import type { Policy } from "../src/policy.ts";
import { evmEventsSource, type EvmEventsDefinition } from "../src/sources/evmEventsSource.ts";
import { nftChangesSource, type NftDefinition } from "../src/sources/nft/nftChangesSource.ts";
import type { SourceRow, SourceValue } from "../src/sources/policySource.ts";
import type { SourceDefinition } from "../src/sources/sourceDefinition.ts";

/** Events that are yielded at once. */
const eventsAtOnce = 10_000;
/** The time of block 0, as a played node has it. */
const startTime = 1_700_000_000;

/** The events of a bench: all distinct, and the same at every run. */
export interface SyntheticOptions {
  readonly events: number;
  /** The last block; each has as many events. */
  readonly height: number;
  readonly accounts: number;
  readonly seed: number;
  readonly node: RollupNode;
}

/** The sources of an example policy with made-up rows in place of a chain's, which share the events equally. */
export function syntheticSources({ sources }: Policy, options: SyntheticOptions): readonly ChainSource[] {
  const events = Math.ceil(options.events / sources.length);
  return sources.map((source, index) => {
    const own = { ...options, events, seed: options.seed + index };
    const read = () => readParts(own, rowsOf(source, own));
    if (isOfNfts(source)) return { ...nftChangesSource(source, { read: noOwners }), read };
    if (isOfEvents(source)) return { ...evmEventsSource(source, options.node), read };
    throw new Error(`the bench has no rows for a source of kind ${source.kind}`);
  });
}

/** Creates the row of an event from its number. */
type RowOf = (event: number) => SourceRow;

function rowsOf(source: SourceDefinition, options: SyntheticOptions): RowOf {
  const { accounts, seed } = options;
  const random = randomUnits(seed);
  const names = Array.from({ length: accounts }, (_, index) => `0x${hash("sha256", `account ${index}`).slice(0, 40)}`);
  // Some accounts have many events, most have a few.
  const account = (): string => names[Math.floor(random() ** 2 * accounts)] ?? "";
  if (isOfNfts(source)) {
    const [collection = ""] = source.collections;
    return (event) => [
      BigInt(heightOf(event, options)),
      collection,
      `${Math.floor(random() * accounts)}`,
      "",
      account(),
    ];
  }
  const parameters = isOfEvents(source) ? (source.shapes[0]?.event.inputs ?? []) : [];
  const valueOf = ({ type }: { readonly type: string }): SourceValue => {
    if (type === "address") return account();
    if (type === "string") return ["quest", "match", "login", "chat"][Math.floor(random() * 4)] ?? "";
    return BigInt(Math.floor(random() * 1e12));
  };
  const contract = isOfEvents(source) ? (source.contracts[0] ?? "") : "";
  return (event) => {
    const height = BigInt(heightOf(event, options));
    // The transactions of the chain are counted on, so that no two rows have the same place.
    const index = BigInt(event);
    const txHash = `0x${hash("sha256", `${seed} ${event}`)}`;
    return [height, height + BigInt(startTime), index, index, txHash, contract, ...parameters.map(valueOf)];
  };
}

function heightOf(event: number, { events, height }: SyntheticOptions): number {
  return Math.floor((event * height) / events) + 1;
}

// eslint-disable-next-line typescript/require-await
async function* readParts(options: SyntheticOptions, rows: RowOf): AsyncGenerator<SourcePart, void, undefined> {
  let first = 1;
  for (let start = 0; start < options.events;) {
    let end = Math.min(start + eventsAtOnce, options.events);
    const last = heightOf(end - 1, options);
    // A part ends with a block.
    while (end < options.events && heightOf(end, options) === last) end += 1;
    const batch = Array.from({ length: end - start }, (_, index) => rows(start + index));
    yield { first, last, lastHash: playedHash(last), rows: batch };
    [first, start] = [last + 1, end];
  }
}

/** The hash of a block of a played node. */
function playedHash(height: number): string {
  return `0x${height.toString(16).padStart(64, "0")}`;
}

// eslint-disable-next-line require-yield, typescript/require-await
async function* noOwners(): AsyncGenerator<never, void, undefined> {
  throw new Error("owners are made up");
}

/** Numbers from 0 to below 1: mulberry32. */
function randomUnits(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function isOfEvents(source: SourceDefinition): source is SourceDefinition & EvmEventsDefinition {
  return source.kind === "evm_events";
}

function isOfNfts(source: SourceDefinition): source is SourceDefinition & NftDefinition {
  return source.kind === "nft_holdings_over_time";
}
