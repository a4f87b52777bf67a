import { formatBech32, parseAccount } from "@vipscore/core";
import type { NftCollection, NftToken } from "@vipscore/indexer-client";
import { seededRandom, type SeededRandom } from "@vipscore/testkit/seededRandom";
import type { HexAddress, NftBlock, NftChange, NftStore } from "../../src/index.ts";
import type { ChainData } from "./chainData.ts";

/** Blocks of a chain, and the data of an indexer that read them. */
export interface GeneratedChain {
  readonly blocks: readonly NftBlock[];
  readonly data: ChainData;
  readonly height: number;
}

/** Token ids in each form that a chain may use; as text they sort differently from numbers. */
const oddIds: readonly string[] = [
  [
    "1",
    "01",
    "10",
    "9",
    "99",
    "249",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1+1",
    "%31",
    "a/b",
    "..",
    ".",
    "'",
    '"',
    "\\",
    "A",
    "a",
    "B",
    "_",
  ],
  ["%", "é", "é", "Z", "ß", "SS", "\u2028", "\ufeff", "\uffff", "\u{10000}", "💎", "<b>&</b>", "NULL", "{", "\n", "\t"],
  [String(2n ** 256n - 1n), String(2n ** 255n), "x".repeat(512), "é".repeat(256)],
].flat();

const recordedName = "My Nft";

const oddNames = [
  "Good Cats",
  "good cats",
  "",
  "100% _cats_",
  '<Cats> & "dogs" \'s',
  "Кошки ✓ 💎",
  "line\nline\u2028",
  "CATS",
];

/**
 * Generates a chain that is hard to list: tokens of several collections that tie, ids with any text, listings of exactly several pages,
 * empty collections, equal names, accounts of 32 bytes, tokens that moved, were given back, changed and burned.
 */
export function generateChain(seed: number): GeneratedChain {
  const random = seededRandom(seed);
  const owners = Array.from({ length: 12 }, (_, index) => address(random, index));
  const chain = new ChainUnderWay(99);
  mintRecorded(chain);
  chain.add({ kind: "originNamed", name: "CATS", originName: "Before the collection" });
  const collections = oddNames.map((name, index) => {
    const collectionAddr = address(random, index);
    chain.add({ kind: "collection", collectionAddr, name, creator: random.pick(owners) });
    // Two collections of one height tie.
    if (index % 3 !== 0) chain.nextBlock();
    return collectionAddr;
  });
  const [thousand, threeHundred, first, second, third, odd, burnt] = collections;
  if (!thousand || !threeHundred || !first || !second || !third || !odd || !burnt) throw new Error("too few names");

  const mintIds = (collectionAddr: HexAddress, ids: readonly string[], perBlock: number, few = owners) => {
    for (const [index, tokenId] of ids.entries()) {
      if (index % perBlock === 0) chain.nextBlock();
      chain.mint(
        collectionAddr,
        tokenId,
        random.pick(few),
        random.pick(["", `ipfs://${tokenId}`, `https://x/?a=1&b=<${index}>`]),
      );
    }
  };
  mintIds(thousand, numbers(1000), 90, owners.slice(0, 3));
  mintIds(threeHundred, numbers(300), 300, owners.slice(0, 1));
  mintIds(odd, oddIds, 7);
  mintIds(burnt, numbers(20), 20);
  // The same ids in the same blocks: rows of one owner that tie but for their collection.
  for (const tokenId of numbers(60)) {
    chain.nextBlock();
    const owner = random.pick(owners.slice(0, 4));
    for (const collectionAddr of [first, second, third]) chain.mint(collectionAddr, tokenId, owner, "");
  }
  for (let turn = 0; turn < 600; turn += 1) {
    if (turn % 20 === 0) chain.nextBlock();
    chain.changeSome(random, owners);
  }
  for (const tokenId of numbers(20)) chain.burn(burnt, tokenId);
  for (const name of ["Good Cats", "100% _cats_", "nobody's"]) {
    chain.add({ kind: "originNamed", name, originName: `"${name}" \u2028` });
  }
  return chain.end();
}

/** The tokens of the recorded database, at their heights, so that the recorded requests find the same data. */
function mintRecorded(chain: ChainUnderWay): void {
  const collectionAddr: HexAddress = `0xc1${"0".repeat(37)}1`;
  const owner: HexAddress = `0x${"0".repeat(38)}aa`;
  chain.add({ kind: "collection", collectionAddr, name: recordedName, creator: owner });
  for (let id = 0; id < 250; id += 1) {
    chain.nextBlock();
    chain.mint(collectionAddr, String(id), owner, `https://x/${id}?a=1&b=<2>`);
  }
}

/** Writes a chain to a store, a few blocks at a time. */
export async function loadChain(
  store: NftStore,
  { blocks, height }: GeneratedChain,
  chainId = "generated-1",
): Promise<void> {
  await store.beginChain(chainId, 0);
  const step = 25;
  for (let at = 0; at < blocks.length; at += step) {
    const some = blocks.slice(at, at + step);
    const leftOut = await store.applyBlocks(some, {
      height: some.at(-1)?.height ?? height,
      blockHash: "ab".repeat(32),
    });
    if (leftOut.length > 0) throw new Error(`left out: ${JSON.stringify(leftOut)}`);
  }
}

class ChainUnderWay {
  readonly #blocks: { height: number; timestamp: string; changes: NftChange[] }[] = [];
  readonly #tokens = new Map<string, NftToken>();
  readonly #collections: NftCollection[] = [];
  readonly #names = new Map<string, string>();
  readonly #originNames = new Map<string, string>();
  #height;
  #sequence = 0;

  constructor(height: number) {
    this.#height = height;
  }

  nextBlock(): void {
    this.#height += 1;
  }

  add(change: NftChange): void {
    let block = this.#blocks.at(-1);
    if (block?.height !== this.#height) {
      block = { height: this.#height, timestamp: timeOf(this.#height), changes: [] };
      this.#blocks.push(block);
    }
    block.changes.push(change);
    if (change.kind === "originNamed" && new Set(this.#names.values()).has(change.name)) {
      this.#originNames.set(change.name, change.originName);
    }
    if (change.kind !== "collection") return;
    this.#names.set(change.collectionAddr, change.name);
    this.#collections.push({
      object_addr: change.collectionAddr,
      collection: {
        creator: bech32(change.creator),
        name: change.name,
        origin_name: "",
        nfts: { handle: "", length: 0 },
      },
      height: block.height,
      timestamp: block.timestamp,
    });
  }

  mint(collectionAddr: HexAddress, tokenId: string, owner: HexAddress, uri: string): void {
    const objectAddr = tokenId === "7" ? collectionAddr : undefined;
    this.add({ kind: "minted", collectionAddr, tokenId, owner, uri, objectAddr, txHash: this.#txHash() });
    this.#tokens.set(`${collectionAddr}/${tokenId}`, {
      collection_addr: collectionAddr,
      collection_name: this.#names.get(collectionAddr) ?? "",
      collection_origin_name: "",
      object_addr: objectAddr ?? "",
      owner: bech32(owner),
      nft: { token_id: tokenId, uri },
      height: this.#height,
      timestamp: timeOf(this.#height),
    });
  }

  burn(collectionAddr: HexAddress, tokenId: string): void {
    if (!this.#tokens.delete(`${collectionAddr}/${tokenId}`)) return;
    this.add({ kind: "burned", token: { collectionAddr, tokenId }, txHash: this.#txHash() });
  }

  /** Moves, changes or burns a random token. */
  changeSome(random: SeededRandom, owners: readonly HexAddress[]): void {
    const [key, token] = random.pick(
      [...this.#tokens].filter(([, { collection_name: name }]) => name !== recordedName),
    );
    const collectionAddr = token.collection_addr as HexAddress;
    const reference = { collectionAddr, tokenId: token.nft.token_id };
    const update = { height: this.#height, timestamp: timeOf(this.#height) };
    const turn = random.below(10);
    // Keep listings of exactly several pages, and ids that are hard to find.
    const mayBurn = !["Good Cats", "good cats", "Кошки ✓ 💎"].includes(token.collection_name);
    if (turn === 0 && mayBurn) return this.burn(collectionAddr, token.nft.token_id);
    if (turn < 3) {
      const uri = `ipfs://${random.below(1_000_000)}`;
      this.add({ kind: "uriChanged", token: reference, uri, txHash: this.#txHash() });
      this.#tokens.set(key, { ...token, ...update, nft: { ...token.nft, uri } });
      return;
    }
    const owner = random.pick(owners);
    this.add({ kind: "transferred", token: reference, owner, txHash: this.#txHash() });
    this.#tokens.set(key, { ...token, ...update, owner: bech32(owner) });
  }

  end(): GeneratedChain {
    const originOf = (name: string): string => this.#originNames.get(name) ?? "";
    const tokens = [...this.#tokens.values()].map((token) => {
      return { ...token, collection_origin_name: originOf(token.collection_name) };
    });
    const collections = this.#collections.map((row) => {
      const { length } = tokens.filter((token) => token.collection_addr === row.object_addr);
      const nfts = { handle: "", length };
      return { ...row, collection: { ...row.collection, origin_name: originOf(row.collection.name), nfts } };
    });
    return { blocks: this.#blocks, data: { tokens, collections }, height: this.#height };
  }

  #txHash(): string {
    this.#sequence += 1;
    return this.#sequence.toString(16).padStart(64, "0");
  }
}

/** Addresses of 20 and 32 bytes, some with leading zeros; distinct by their index. */
function address(random: SeededRandom, index: number): HexAddress {
  const digits = Array.from({ length: 64 }, () => random.below(16).toString(16)).join("");
  const tail = index.toString(16).padStart(2, "0");
  if (index % 4 === 3) return `0x1${digits.slice(0, 61)}${tail}`;
  return index % 4 === 1 ? `0x${"0".repeat(20)}${digits.slice(0, 18)}${tail}` : `0xa${digits.slice(0, 37)}${tail}`;
}

function numbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

function bech32(hex: HexAddress): string {
  return formatBech32(parseAccount(hex, { accountBytes: [20, 32] }));
}

/** Times with and without fractions of a second. */
function timeOf(height: number): string {
  const time = new Date(Date.UTC(2026, 0, 1) + height * 1_000).toISOString().slice(0, 19);
  return `${time}${height % 3 === 0 ? "" : height % 3 === 1 ? ".3724" : ".123456"}Z`;
}
