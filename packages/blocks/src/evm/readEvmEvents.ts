import type { Answer } from "@vipscore/core/wire";
import { readSeveralAhead, type PartsOptions } from "../readAhead.ts";
import { RangeTooLargeError } from "../readErrors.ts";
import type { LogFilter } from "./blockLogReader.ts";
import { comparedHeadReader } from "./comparedHeadReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { logReader, readAgreeing } from "./logReader.ts";
import { hexField, readLogPlace, topicsOf, type LogPlace } from "./rpcValues.ts";

/** An event of a contract. */
export interface EvmEvent extends LogPlace {
  /** 0 to 4 words in lowercase hex. */
  readonly topics: readonly `0x${string}`[];
  /** Lowercase hex. */
  readonly data: `0x${string}`;
  /** The block's time, RFC 3339 in UTC with whole seconds. */
  readonly timestamp: string;
}

/** The events of a part of a range of blocks. */
export interface EvmEventsPart {
  readonly first: number;
  /** Inclusive; the next part begins after it. */
  readonly last: number;
  /** The hash of the first block, lowercase hex. */
  readonly firstHash: string;
  /** The hash of the last block, lowercase hex. */
  readonly lastHash: string;
  /** Number of its blocks whose bloom filter was compared with the events that came. */
  readonly compared: number;
  /** In the order of the chain: by height, transaction and index. */
  readonly events: readonly EvmEvent[];
}

/** The events to read. */
export interface ReadEvmEventsOptions extends LogFilter, PartsOptions {}

/** Maximum blocks of a part, and of a request; minievm allows 500. */
const maxBlocks = 500;
/** Blocks of the first part, before it is known how full they are. */
const firstWidth = 16;
/** Maximum events of a part of several blocks: so few that they are freed while they are young, which is a third faster. */
const maxEvents = 5_000;

/**
 * Blocks whose headers are read although no event is in them, evenly spread: this many of a short reading, or one in so many of a
 * long one, which is a tenth of its calls.
 */
const [sampled, widestSample] = [256, 1250] as const;

/**
 * Reads the events of a range of blocks, however many there are, part by part. While the caller uses a part, the next
 * three are read; the memory of these is all that is needed. A part has up to 500 blocks and 5,000 events, or a single
 * block with more, and none is left out.
 *
 * The headers that are read, of a part's first and last block, of all with events and of a sample, are compared with the events.
 *
 * A failure ends it. To continue, start again after the last part: parts that were given are complete.
 *
 * @throws NodeError, `NODE_UNREACHABLE` for one if the node does not have a block of the range; the signal's reason when
 * aborted.
 *
 * @example
 * for await (const { events, last, lastHash } of readEvmEvents(rpc, { addresses, first: 1, last: 1_000_000, signal })) …
 */
export function readEvmEvents(
  rpc: EvmRpc,
  { addresses, topics, ...range }: ReadEvmEventsOptions,
): AsyncGenerator<EvmEventsPart, void, undefined> {
  const { first, last } = range;
  const stride = Math.min(widestSample, Math.max(1, Math.floor((last - first + 1) / sampled)));
  const isSampled = (height: number): boolean => (height - first) % stride === 0;
  return readSeveralAhead(range, (signal) =>
    eventPartReader(rpc, { filter: { addresses, topics }, isSampled }, signal),
  );
}

/** Creates a reader of the part that begins at a block, which learns how many blocks a part should have. */
function eventPartReader(
  rpc: EvmRpc,
  { filter, isSampled }: { readonly filter: LogFilter; readonly isSampled: (height: number) => boolean },
  signal: AbortSignal,
) {
  const readLogs = logReader(rpc, { filters: [filter], keep: readLog, widest: maxBlocks, maxLogs: maxEvents });
  const readHeads = comparedHeadReader(rpc, filter);
  let width = firstWidth;
  const readPart = async (first: number, end: number): Promise<EvmEventsPart> => {
    for (;;) {
      const last = Math.min(end, first + width - 1);
      try {
        // Nothing is unread: a reader leaves logs out at the third failure of a block, and the first one ends it.
        const { logs, hashes } = await readLogs(first, last, signal);
        // Doubled from this part: others were planned with the same width, and would double it again.
        if (logs.length < maxEvents / 4) width = Math.min(maxBlocks, Math.max(width, 2 * (last - first + 1)));
        const sample = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(isSampled);
        const heights = new Set([first, ...logs.map(({ height }) => height), ...sample, last]);
        const { heads, compared } = await readHeads([...heights], { logs, hashes }, signal);
        const events = logs.map((log) => Object.assign(log, { timestamp: heads.get(log.height)?.timestamp ?? "" }));
        const hashOf = (height: number) => heads.get(height)?.hash ?? "";
        return { first, last, firstHash: hashOf(first), lastHash: hashOf(last), compared, events };
      } catch (error) {
        if (!(error instanceof RangeTooLargeError)) throw error;
        width = error.blocks;
      }
    }
  };
  return { read: (first: number, end: number) => readAgreeing(() => readPart(first, end)), width: () => width };
}

/** An event without its time. */
function readLog(log: Answer): EvmEvent {
  const { height, transactionIndex, logIndex, txHash, address } = readLogPlace(log);
  const [topics, data] = [topicsOf(log), hexField(log, "data")];
  // One object of its final form: a million of them are made.
  return { height, transactionIndex, logIndex, txHash, address, topics, data, timestamp: "" };
}
