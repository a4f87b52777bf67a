import { decodeAddress } from "../src/decodeAddress.ts";
import type { NftToken } from "../src/tokens.ts";
import { token } from "./playedIndexer.ts";

/** The owners of the tests, as a server writes them; the last two are the same account. */
const owners = [
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
  "init1424qqqqqqqqqqqqqqqqqqqqqqqqqp2424k28fz",
  "0xaaaa00000000000000000000000000000000aaaa",
];

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator modulo 2^32, its high bits. */
export function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A collection that changes, one block per change, and records the holders after each block. */
export class MovingCollection {
  height = 10;
  readonly tokens: NftToken[];
  readonly #history = new Map<number, readonly (readonly [string, number])[]>();
  #nextId: number;
  readonly #random: () => number;

  constructor(count: number, random: () => number) {
    this.#random = random;
    this.#nextId = count;
    this.tokens = Array.from({ length: count }, (_, index) => ({
      ...token(String(index), 10),
      owner: this.#anyOwner(),
    }));
    this.#note();
  }

  /** A block without a change of the collection. */
  pass(): void {
    this.height += 1;
    this.#note();
  }

  transfer(): void {
    this.height += 1;
    const place = this.#anyPlace();
    const row = this.tokens[place];
    if (row) this.tokens[place] = { ...row, height: this.height, owner: this.#anyOwner() };
    this.#note();
  }

  burn(): void {
    this.height += 1;
    this.tokens.splice(this.#anyPlace(), 1);
    this.#note();
  }

  mint(): void {
    this.height += 1;
    this.tokens.push({ ...token(String(this.#nextId), this.height), owner: this.#anyOwner() });
    this.#nextId += 1;
    this.#note();
  }

  /** Any of these. */
  change(): void {
    const kinds = [() => this.pass(), () => this.transfer(), () => this.burn(), () => this.mint()];
    kinds[Math.floor(this.#random() * kinds.length)]?.();
  }

  /** Number of tokens that each owner held after a block. */
  holdersAt(height: number): readonly (readonly [string, number])[] | undefined {
    return this.#history.get(height);
  }

  #note(): void {
    const tally = new Map<string, number>();
    for (const row of this.tokens) {
      const owner = decodeAddress(row.owner);
      tally.set(owner, (tally.get(owner) ?? 0) + 1);
    }
    this.#history.set(this.height, sorted(tally));
  }

  #anyPlace(): number {
    return Math.floor(this.#random() * this.tokens.length);
  }

  #anyOwner(): string {
    return owners[Math.floor(this.#random() * owners.length)] ?? "";
  }
}

/** Holders in a fixed order, to compare. */
export function sorted(holders: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return Array.from(holders).sort(([a], [b]) => (a < b ? -1 : 1));
}
