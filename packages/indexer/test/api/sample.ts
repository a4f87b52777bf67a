import { expect, onTestFinished } from "vitest";
import type { createApi } from "../../src/api/createApi.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, hash, mint } from "../store/blocks.ts";

/** Prefix of the routes. */
export const nft = "/indexer/nft/v1";

/** The collections and the owner of the sample. */
export const cats = address("c1");
export const dogs = address("c2");
const alice = address("aa");

/** The answer of a listing; its rows depend on the route. */
export interface Answer {
  readonly tokens: readonly { readonly collection_addr: string; readonly nft: { readonly token_id: string } }[];
  readonly collections: readonly { readonly object_addr: string }[];
  readonly txs: readonly { readonly txhash: string }[];
  readonly pagination: {
    readonly previous_key: string | null;
    readonly next_key: string | null;
    readonly total: string;
  };
}

/** Eight tokens of one owner in two collections, some with ids that paths must escape, and one that is left out. */
export async function openSample(create: () => Promise<string>): Promise<Store> {
  const store = await openStore(await create());
  onTestFinished(() => store.close());
  const odd = ["a/b", "ü ?#&+%", "%41", "..a"];
  await apply(
    store,
    block(1, collection(cats, "Cats"), collection(dogs, "Dogs"), mint(dogs, "\0", alice)),
    block(
      2,
      ...["1", "2", "3", "4", "5"].map((id) => mint(cats, id, alice)),
      ...["1", "2", "3"].map((id) => mint(dogs, id, alice)),
      ...odd.map((id) => mint(dogs, id, address("bb"))),
    ),
    block(3, { kind: "transferred", token: { collectionAddr: cats, tokenId: "1" }, owner: alice, txHash: hash(5) }),
  );
  return store;
}

/** Reads a page; the request must succeed. */
export async function read(api: ReturnType<typeof createApi>, path: string): Promise<Answer> {
  const response = await api.request(path);
  const body = await response.text();
  expect(response.status, `${path}: ${body}`).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  return JSON.parse(body) as Answer;
}

/** The ids of a page's tokens. */
export function idsOf({ tokens }: Answer): readonly string[] {
  return tokens.map((token) => token.nft.token_id);
}

/** Encodes a text in base64. */
export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Decodes base64 to text. */
export function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString();
}
