import type { NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import type { ChainData } from "../chainData.ts";
import { recordedExchanges } from "../recordedExchanges.ts";
import { base64, nftRequest, type GeneratedRequest, type Query } from "./generatedRequest.ts";
import {
  booleans,
  brokenKeys,
  integerKeys,
  limits,
  oddTokenIds,
  offsets,
  orders,
  unknownPaths,
} from "./parameterTexts.ts";
import { spellingsOf } from "./spellings.ts";

/** Chance that a parameter is set in requests that mix parameters, in percent. */
const mixedShare = 35;

/**
 * Generates requests about a chain: those sent to a real indexer; every text of each parameter on a random listing; every spelling of addresses; every route; then
 * randomly mixed parameters up to `count` requests. The same seed and data give the same requests.
 */
export function generateRequests(data: ChainData, random: SeededRandom, count: number): readonly GeneratedRequest[] {
  const listing = () => somePath(data, random);
  const each = (group: string, name: string, texts: readonly string[], more: () => Query = () => ({})) =>
    texts.map((text) => nftRequest(group, listing(), { ...more(), [name]: text }));
  const few = () => ({ "pagination.limit": String(1 + random.below(30)) });
  const requests = [
    ...recordedExchanges.map(({ request }) => ({ group: "recorded", path: request.path, query: request.query })),
    ...each("limit", "pagination.limit", limits),
    ...each("offset", "pagination.offset", offsets, few),
    ...each("count_total", "pagination.count_total", booleans, few),
    ...each("reverse", "pagination.reverse", booleans, few),
    ...each("order_by", "order_by", orders, few),
    ...each("integer key", "pagination.key", integerKeys, few),
    ...each("broken key", "pagination.key", brokenKeys, few),
    ...each("token_id", "token_id", [
      ...oddTokenIds,
      ...Array.from({ length: 12 }, () => random.pick(data.tokens).nft.token_id),
    ]),
    ...keysetRequests(data, random),
    ...addressRequests(data, random),
    ...collectionRequests(data, random),
    ...transactionRequests(data, random),
    ...unknownPaths.map((path) => ({ group: "404", path, query: "" })),
    { group: "431", path: "/indexer/nft/v1/tokens/by_account/0xaa", query: `token_id=${"9".repeat(17_000)}` },
    { group: "status", path: "/status", query: "" },
  ];
  while (requests.length < count) requests.push(nftRequest("mixed", listing(), mixedQuery(data, random)));
  return requests;
}

/** A listing of tokens, usually not empty. */
export function somePath(data: ChainData, random: SeededRandom): string {
  const { owner, collection_addr: collection } = someToken(data, random);
  const path = random.below(2) === 0 ? `tokens/by_account/${owner}` : `tokens/by_collection/${collection}`;
  return random.below(12) === 0 ? `${path.slice(0, path.lastIndexOf("/"))}/0x12345` : path;
}

/** A random token of a random collection, so that small collections come as often as large. */
function someToken(data: ChainData, random: SeededRandom): NftToken {
  const collection = random.pick(data.collections).object_addr;
  const tokens = data.tokens.filter((token) => token.collection_addr === collection);
  return random.pick(tokens.length > 0 ? tokens : data.tokens);
}

/** The key of a token's place. */
function rowKey({ height, nft }: NftToken): string {
  return base64(JSON.stringify({ height, token_id: nft.token_id }));
}

function keysetRequests(data: ChainData, random: SeededRandom): readonly GeneratedRequest[] {
  return Array.from({ length: 40 }, (_, turn) => {
    const token = someToken(data, random);
    const path = turn % 2 === 0 ? `tokens/by_collection/${token.collection_addr}` : `tokens/by_account/${token.owner}`;
    const madeUp = base64(
      JSON.stringify({ height: random.below(5_000), token_id: random.pick(["", "5", "zz", token.nft.token_id]) }),
    );
    return nftRequest("keyset key", path, {
      "pagination.limit": random.pick(["1", "2", "5", "100", "1000"]),
      "pagination.key": turn % 4 < 3 ? rowKey(token) : madeUp,
      ...(turn % 3 === 0 ? { order_by: "height" } : {}),
      ...(turn % 5 === 0 ? { "pagination.reverse": "false" } : {}),
      ...(turn % 7 === 0 ? { "pagination.offset": "3" } : {}),
    });
  });
}

function addressRequests(data: ChainData, random: SeededRandom): readonly GeneratedRequest[] {
  const { owner, collection_addr: collection } = someToken(data, random);
  const ofOwner = spellingsOf(decodeAddress(owner));
  const ofCollection = spellingsOf(collection);
  return [
    ...ofOwner.map((text) => nftRequest("address", `tokens/by_account/${text}`, { "pagination.limit": "3" })),
    ...ofCollection.map((text) => nftRequest("address", `tokens/by_collection/${text}`, { "pagination.limit": "3" })),
    ...ofCollection.map((text) => nftRequest("address", `collections/${text}`)),
    // A percent sign in a query is decoded, so the server sees the text itself.
    ...ofCollection.map((text) =>
      nftRequest("collection_addr", `tokens/by_account/${owner}`, { collection_addr: text }),
    ),
  ];
}

function collectionRequests(data: ChainData, random: SeededRandom): readonly GeneratedRequest[] {
  const limit = () => ({ "pagination.limit": String(1 + random.below(3)) });
  const pages: readonly Query[] = [
    {},
    limit(),
    { ...limit(), "pagination.reverse": "false" },
    { ...limit(), "pagination.offset": "1" },
  ];
  const bad: readonly Query[] = [
    { "pagination.limit": "0" },
    { "pagination.key": "!!" },
    { "pagination.count_total": "false" },
  ];
  const key: Query = { ...limit(), "pagination.key": base64("2") };
  const names = Array.from({ length: 8 }, () => {
    const { name } = random.pick(data.collections).collection;
    const start = random.below(name.length);
    const part = name.slice(start, start + 1 + random.below(4)).replace(/[^A-Za-z0-9]/g, "") || "a";
    return random.below(2) === 0 ? part.toUpperCase() : part.toLowerCase();
  });
  return [
    ...[...pages, ...bad, key].flatMap((query) => [
      nftRequest("collections", "collections", query),
      nftRequest("collections", `collections/by_account/${random.pick(data.tokens).owner}`, query),
      nftRequest("collections", `collections/by_name/${names[0]}`, query),
    ]),
    ...names.map((name) => nftRequest("collections", `collections/by_name/${name}`)),
    ...["%20", "%25", "_", "%00", "nosuchname", "%E2%9C%93"].map((name) =>
      nftRequest("collections", `collections/by_name/${name}`),
    ),
    ...["nothex", "0x12345"].map((account) => nftRequest("collections", `collections/by_account/${account}`)),
    ...data.collections.slice(0, 10).map((row) => nftRequest("collections", `collections/${row.object_addr}`)),
  ];
}

/** Segments that no path can hold: clients resolve them as path steps (RFC 3986, section 5.2.4). */
const dotSegment = /^\.{1,2}$/;

function transactionRequests(data: ChainData, random: SeededRandom): readonly GeneratedRequest[] {
  const known = Array.from({ length: 6 }, () => someToken(data, random));
  return [
    ...known
      .filter(({ nft }) => !dotSegment.test(nft.token_id))
      .map(({ collection_addr: addr, nft }) => nftRequest("txs", `txs/${addr}/${encodeURIComponent(nft.token_id)}`)),
    ...["nosuch", "0", "%00", "%FF"].map((id) => nftRequest("txs", `txs/${known[0]?.collection_addr}/${id}`)),
    ...["zz", "0x12345"].map((addr) => nftRequest("txs", `txs/${addr}/1`)),
    nftRequest("txs", `txs/${known[0]?.collection_addr}/1`, { "pagination.limit": "1001" }),
    nftRequest("txs", `txs/${known[0]?.collection_addr}/1`, { "pagination.key": "!!" }),
  ];
}

function mixedQuery(data: ChainData, random: SeededRandom): Query {
  const token = someToken(data, random);
  const choices: Readonly<Record<string, () => string>> = {
    "pagination.limit": () => (random.below(8) === 0 ? random.pick(limits) : String(1 + random.below(120))),
    "pagination.offset": () => (random.below(8) === 0 ? random.pick(offsets) : String(random.below(150))),
    "pagination.count_total": () => random.pick(booleans),
    "pagination.reverse": () => random.pick(booleans),
    "pagination.key": () =>
      random.pick([...integerKeys, ...brokenKeys, rowKey(token), rowKey(token), base64(String(random.below(99)))]),
    order_by: () => random.pick(["token_id", "height", "height", "foo"]),
    token_id: () => (random.below(3) === 0 ? random.pick(oddTokenIds) : token.nft.token_id),
    collection_addr: () => token.collection_addr,
  };
  const chosen = Object.entries(choices).filter(() => random.below(100) < mixedShare);
  return Object.fromEntries(chosen.map(([name, choose]) => [name, choose()]));
}
