import { formatBech32, parseAccount } from "@vipscore/core";
import type { NftToken } from "@vipscore/indexer-client";
import { decodeAddress } from "@vipscore/indexer-client/address";
import type { SeededRandom } from "@vipscore/testkit/seededRandom";
import { nftRoot, type ApiRequest } from "./apiRules.ts";
import type { ChainData } from "./chainData.ts";
import { recordedExchanges } from "./recordedExchanges.ts";

/** Query parameters by name. */
type Query = Readonly<Record<string, string>>;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Keys that hold an integer or something like it; that are not base64; and that hold no row. */
const keys: readonly string[] = [
  ...["0", "10", "250", "123456789012", "-1", "+1", "1.5", "abc", "99999999999999999999", "null"].map(base64),
  "!!",
  "MQ",
  "MQ===",
  "MT A=",
  "_-8=",
  ...['{"height":1}', "{}", '{"height":"1","token_id":"1"}', '{"height":1.5,"token_id":"1"}', "{"].map(base64),
  ...['{"__proto__":1,"height":1,"token_id":{}}', '{"height":9,"token_id":"\\ud800"}', '{"sequence":1}'].map(base64),
];

const booleans = ["true", "false", "", "no", "tRuE", "0", "FALSE"];

/** Texts of each parameter: valid, at a bound, beyond it, odd. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  "pagination.limit": ["1", "7", "100", "1000", "0", "-1", "1001", "", "abc", "1e2", "99999999999999999999", "+5"],
  "pagination.offset": ["0", "3", "100", "250", "123456789012", "", "1.5", "-1", "99999999999999999999", "01"],
  "pagination.count_total": booleans,
  "pagination.reverse": booleans,
  "pagination.key": keys,
  order_by: ["token_id", "height", "", "foo", "HEIGHT", " token_id ", "'"],
  token_id: ["0", "00", "1 ", "+1", "%31", "\u0000", "é", "💎", "' OR '1'='1", "%", "..", "9".repeat(78)],
};

/** Chance that a parameter is set in requests that mix parameters, in percent. */
const mixedShare = 35;

/**
 * Requests about a chain: those sent to a real indexer; every text of each parameter on a random listing; spellings of addresses;
 * every route; then `mixed` requests of random parameters. And the first pages of walks of the largest listings, in each order. The
 * same seed and data give the same requests.
 */
export function requestsOf(
  data: ChainData,
  random: SeededRandom,
  mixed: number,
): { readonly requests: readonly ApiRequest[]; readonly walks: readonly ApiRequest[] } {
  /** A random token of a random collection, so that small collections come as often as large. */
  const someToken = (): NftToken => {
    const collection = random.pick(data.collections).object_addr;
    const tokens = data.tokens.filter((token) => token.collection_addr === collection);
    return random.pick(tokens.length > 0 ? tokens : data.tokens);
  };
  const listing = () =>
    random.pick([listingsOf(someToken())[0], listingsOf(someToken())[1], "tokens/by_account/0x12345"]);
  const few = () => String(1 + random.below(30));
  const each = Object.entries(parameters).flatMap(([name, texts]) =>
    texts.map((text) => nftRequest(listing(), { "pagination.limit": few(), [name]: text })),
  );
  const afterRows = Array.from({ length: 30 }, () => {
    const token = someToken();
    const query = { "pagination.limit": few(), "pagination.key": rowKey(token), order_by: random.pick(["height", ""]) };
    return nftRequest(random.pick(listingsOf(token)), query);
  });
  const mixedOnes = Array.from({ length: mixed }, () => {
    const { collection_addr, nft } = someToken();
    const given: Query = { collection_addr, token_id: nft.token_id, "pagination.key": rowKey(someToken()) };
    const chosen = [...Object.entries(parameters), ["collection_addr", []] as const]
      .filter(() => random.below(100) < mixedShare)
      .map(([name, texts]) => [
        name,
        (random.below(2) === 0 ? given[name] : undefined) ?? random.pick([...texts, "1"]),
      ]);
    return nftRequest(listing(), Object.fromEntries(chosen) as Query);
  });
  return {
    requests: [
      ...recordedExchanges.map(({ request }) => request),
      ...each,
      ...afterRows,
      ...spelled(someToken()),
      ...otherRoutes(data, random, someToken()),
      ...mixedOnes,
    ],
    walks: walksOf(data, random),
  };
}

/** A request of an NFT route; the path is sent unchanged. */
function nftRequest(path: string, query: Query = {}): ApiRequest {
  return { path: nftRoot + path, query: String(new URLSearchParams(query)) };
}

function listingsOf({ owner, collection_addr: collection }: NftToken): readonly [string, string] {
  return [`tokens/by_account/${owner}`, `tokens/by_collection/${collection}`];
}

/** The key of a token's place. */
function rowKey({ height, nft }: NftToken): string {
  return base64(JSON.stringify({ height, token_id: nft.token_id }));
}

/** Requests with spellings of an owner's and a collection's address, valid and invalid. */
function spelled({ owner, collection_addr: collection }: NftToken): readonly ApiRequest[] {
  const spellings = (address: string): readonly string[] => {
    const digits = address.slice(2);
    const account = parseAccount(address, { accountBytes: [20, 32] });
    const bech32 = formatBech32(account);
    const valid = [address, digits.toUpperCase(), `0x${digits.replace(/^0+/, "")}`, digits.padStart(64, "0"), bech32];
    const invalid = [`0X${digits}`, `%30x${digits}`, `0x${digits.slice(0, -1)}g`, `0x${"f".repeat(65)}`, "0x", "-1"];
    const wrong = `${bech32.slice(0, -1)}${bech32.endsWith("q") ? "p" : "q"}`;
    return [...valid, ...invalid, bech32.toUpperCase(), wrong, formatBech32(account, "cosmos"), bech32.slice(0, 12)];
  };
  const limit = { "pagination.limit": "3" };
  return [
    ...spellings(decodeAddress(owner)).map((text) => nftRequest(`tokens/by_account/${text}`, limit)),
    ...spellings(collection).flatMap((text) => [
      nftRequest(`tokens/by_collection/${text}`, limit),
      nftRequest(`collections/${text}`),
      // A percent sign in a query is decoded, so the server sees the text itself.
      nftRequest(`tokens/by_account/${owner}`, { collection_addr: text }),
    ]),
  ];
}

/** Requests of the routes that do not list tokens, and of paths that are no route. */
function otherRoutes(data: ChainData, random: SeededRandom, token: NftToken): readonly ApiRequest[] {
  const { name } = random.pick(data.collections).collection;
  const part = name.replace(/[^A-Za-z0-9]/g, "").slice(0, 3) || "a";
  const pages: readonly Query[] = [
    {},
    { "pagination.limit": "2" },
    { "pagination.limit": "1", "pagination.reverse": "false" },
    { "pagination.limit": "2", "pagination.offset": "1" },
    { "pagination.limit": "2", "pagination.key": base64("2") },
    { "pagination.limit": "0" },
    { "pagination.key": "!!" },
    { "pagination.count_total": "false" },
  ];
  const txs = `txs/${token.collection_addr}`;
  const names = [part.toUpperCase(), part.toLowerCase(), "%20", "%25", "_", "%00", "nosuchname", "%E2%9C%93"];
  return [
    ...["", `/by_account/${token.owner}`, `/by_name/${part}`].flatMap((route) =>
      pages.map((query) => nftRequest(`collections${route}`, query)),
    ),
    ...names.map((text) => nftRequest(`collections/by_name/${text}`)),
    ...["nothex", "0x12345"].map((account) => nftRequest(`collections/by_account/${account}`)),
    ...data.collections.slice(0, 10).map((row) => nftRequest(`collections/${row.object_addr}`)),
    // No path can hold a segment of dots: clients resolve it as a step (RFC 3986, section 5.2.4).
    ...data.tokens
      .filter(({ nft }) => !/^\.{1,2}$/.test(nft.token_id))
      .slice(-6)
      .map(({ collection_addr, nft }) => nftRequest(`txs/${collection_addr}/${encodeURIComponent(nft.token_id)}`)),
    ...[`${txs}/nosuch`, `${txs}/%00`, `${txs}/%FF`, "txs/zz/1", "txs/0x12345/1"].map((path) => nftRequest(path)),
    ...pages.map((query) => nftRequest(`${txs}/1`, query)),
    ...["tokens", "tokens/nope", "tokens/by_account", "tokens/by_owner/0xaa", "txs/0xaa", "collections/0xaa/1"].map(
      (path) => nftRequest(path),
    ),
    ...["/", "/indexer", "/indexer/nft/v2/tokens/by_account/0xaa", "/status"].map((path) => ({ path, query: "" })),
    nftRequest("tokens/by_account/0xaa", { token_id: "9".repeat(17_000) }),
  ];
}

/** First pages of walks of the four largest collections and owners, by offset and by the last row, in each order. */
function walksOf(data: ChainData, random: SeededRandom): readonly ApiRequest[] {
  const sizes = new Map<string, number>();
  for (const path of data.tokens.flatMap(listingsOf)) sizes.set(path, (sizes.get(path) ?? 0) + 1);
  const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 8);
  return largest.flatMap(([path, size]) =>
    ["token_id", "height"].flatMap((order) => {
      const reverse = random.pick(["true", "false"]);
      // Before the first row in that order.
      const start =
        reverse === "true" ? { height: Number.MAX_SAFE_INTEGER, token_id: "\u{10FFFF}" } : { height: 0, token_id: "" };
      // A last page may be full: every other limit divides a listing of hundreds.
      const limit = Math.min(1000, Math.max(1, Math.ceil(size / random.pick([2, 3, 5, 7, 8, 10]))));
      const query = { order_by: order, "pagination.reverse": reverse, "pagination.limit": String(limit) };
      const count = { "pagination.count_total": random.pick(["true", "false"]) };
      return [
        nftRequest(path, { ...query, ...count }),
        nftRequest(path, { ...query, "pagination.key": base64(JSON.stringify(start)) }),
      ];
    }),
  );
}
