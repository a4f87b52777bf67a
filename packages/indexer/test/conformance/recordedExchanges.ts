import { readFileSync } from "node:fs";
import type { NftCollection, NftToken } from "@vipscore/indexer-client";
import type { ApiRequest } from "./apiRules.ts";
import type { ChainData } from "./chainData.ts";
import type { Answer } from "./rules/answer.ts";

/** A request to a real indexer, and its answer. */
export interface RecordedExchange {
  readonly note: string;
  readonly request: ApiRequest;
  readonly answer: Answer;
  /** The contents of the database. */
  readonly data: ChainData;
}

const file = new URL("../api/recordings/nftIndexer.json", import.meta.url);
const exchanges = JSON.parse(readFileSync(file, "utf8")) as readonly (Answer & {
  readonly note: string;
  readonly request: string;
})[];

/** Number of exchanges that were recorded on a rollup with three tokens; the rest used a database with 250. */
const onRollup = 4;

const recordedTokens: readonly NftToken[] = Array.from({ length: 250 }, (_, id) => ({
  collection_addr: "0xc100000000000000000000000000000000000001",
  collection_name: "My Nft",
  collection_origin_name: "My Origin",
  object_addr: "",
  owner: "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq922kl203",
  nft: { token_id: String(id), uri: `https://x/${id}?a=1&b=<2>` },
  height: 100 + id,
  timestamp: "2025-01-01T00:00:00.123456Z",
}));

/** All recordings of a real indexer on PostgreSQL, except a listing that it could not serve because of a bad row. */
export const recordedExchanges: readonly RecordedExchange[] = exchanges
  .map(({ note, request, status, contentType, body }, index) => {
    const [path = "", query = ""] = request.replace(/^GET /, "").split("?");
    const data = index < onRollup ? readRollup() : { tokens: recordedTokens, collections: [] };
    return { note, request: { path, query }, answer: { status, contentType, body }, data };
  })
  .filter(({ answer }) => answer.status !== 500);

/** The rollup's tokens and collection, as the indexer returned them. */
function readRollup(): ChainData {
  const bodyOf = (note: string): unknown => JSON.parse(exchanges.find((one) => one.note === note)?.body ?? "{}");
  const { tokens } = bodyOf("live minievm, 3 tokens") as { readonly tokens: readonly NftToken[] };
  const { collection } = bodyOf("collection") as { readonly collection: NftCollection };
  return { tokens, collections: [collection] };
}
