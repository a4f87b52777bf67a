import { describe, expect, it } from "vitest";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import type { HexAddress, NftBlock, NftChange, PendingUri } from "../../src/chain/nftChain.ts";
import type { Store } from "../../src/store/openStore.ts";
import { address, apply, block, collection, hash, mint } from "./blocks.ts";
import { databases, openNew } from "./databases.ts";

const owners = ["a1", "a2", "a3", "a4"].map((digits) => address(digits));
const collections = ["c1", "c2", "c3"].map((digits) => address(digits));
const random = seededRandom(fuzzSeed());

/** The tokens in the simplest form: owner, URI, whether it is to be read, and height by collection and id. */
type Model = Map<
  string,
  { owner: HexAddress; uri: string; isPending: boolean; height: number; transactions: string[] }
>;

describe.each(databases)("%s", (_name, create) => {
  it("has the same result as the changes one by one, however they are split into calls", async () => {
    const store = await openNew(create);
    const model: Model = new Map();
    const history = new Map<string, string[]>();
    await apply(store, block(1, ...collections.map((addr) => collection(addr))));
    let height = 1;
    const stale: PendingUri[] = [];
    for (let call = 0; call < fuzzRuns(40); call += 1) {
      const blocks: NftBlock[] = Array.from({ length: 1 + random.below(4) }, () => {
        height += 1 + random.below(2);
        const changes = Array.from({ length: random.below(12) }, () => randomChange(height));
        for (const change of changes) applyToModel(model, history, change, height);
        return block(height, ...changes);
      });
      await apply(store, ...blocks);
      expect((await store.readStatus())?.pendingUris).toBe([...model.values()].filter((one) => one.isPending).length);
      // Some are stored at once, and all of them again later, when other blocks may have changed their tokens.
      const pending = await store.readPendingUris(1 + random.below(4));
      for (const one of pending) stale.push(one);
      if (random.below(2) === 0) await readUris(store, model, pending);
      await readUris(store, model, stale.splice(0, random.below(4)));
    }
    for (;;) {
      const pending = await store.readPendingUris(5);
      if (pending.length === 0) break;
      await readUris(store, model, pending);
    }
    expect(await store.readStatus()).toMatchObject({ pendingUris: 0 });
    for (const token of model.values()) expect(token.isPending).toBe(false);
    expect(await stateOf(store, history)).toEqual(stateOfModel(model, history));
  });
});

/** A URI as a contract has it after a block. */
function uriAt(height: number): string {
  return `after ${height}`;
}

/** Reads URIs, in the store and in the model. */
async function readUris(store: Store, model: Model, pending: readonly PendingUri[]): Promise<void> {
  await store.applyUris(pending.map((one) => ({ ...one, uri: uriAt(one.height) })));
  for (const { collectionAddr, tokenId, height } of pending) {
    const token = model.get(`${collectionAddr}/${tokenId}`);
    if (token?.isPending === true && token.uri === uriAt(height)) token.isPending = false;
  }
}

function randomChange(height: number): Exclude<NftChange, { kind: "collection" | "urisChanged" | "originNamed" }> {
  const collectionAddr = collections[random.below(collections.length)] ?? address("c1");
  const owner = owners[random.below(owners.length)] ?? address("a1");
  const tokenId = String(random.below(8));
  const token = { collectionAddr, tokenId };
  const txHash = hash(height * 10 + random.below(3));
  const kind = random.below(5);
  const uri = random.below(2) === 0 ? undefined : `u${random.below(100)}`;
  if (kind === 0) return mint(collectionAddr, tokenId, owner, { txHash, uri });
  if (kind === 1) return { kind: "burned", token, txHash };
  if (kind === 2) return { kind: "uriChanged", token, uri, txHash };
  return { kind: "transferred", token, owner, txHash };
}

function applyToModel(
  model: Model,
  history: Map<string, string[]>,
  change: ReturnType<typeof randomChange>,
  height: number,
): void {
  const { collectionAddr, tokenId } = (change.kind === "minted" ? change : change.token) as ReturnType<typeof mint>;
  const key = `${collectionAddr}/${tokenId}`;
  const token = model.get(key);
  if (!token && (change.kind === "burned" || change.kind === "uriChanged")) return;
  const transactions = history.get(key) ?? [];
  if (!transactions.includes(change.txHash)) transactions.push(change.txHash);
  history.set(key, transactions);
  if (change.kind === "burned") model.delete(key);
  else if (change.kind === "minted")
    model.set(key, { owner: change.owner, ...uriOf(change, height), height, transactions });
  else if (change.kind === "transferred")
    model.set(key, { uri: "", isPending: false, ...token, owner: change.owner, height, transactions });
  else if (token) model.set(key, { ...token, ...uriOf(change, height), height });
}

function uriOf({ uri }: { readonly uri: string | undefined }, height: number) {
  return uri === undefined ? { uri: uriAt(height), isPending: true } : { uri, isPending: false };
}

/** Everything that the API returns about the tokens. */
async function stateOf(store: Store, history: ReadonlyMap<string, readonly string[]>) {
  const page = { place: { offset: 0n }, limit: 1000, reverse: false } as const;
  const tokens: Record<string, unknown> = {};
  const counts: Record<string, unknown> = {};
  const transactions: Record<string, readonly string[]> = {};
  for (const collectionAddr of collections) {
    const rows = await store.readTokens({ ...page, filter: { collectionAddr }, orderBy: "token_id" });
    for (const { tokenId, owner, uri, height } of rows) tokens[`${collectionAddr}/${tokenId}`] = { owner, uri, height };
    counts[collectionAddr] = (await store.readCollection(collectionAddr))?.tokenCount;
  }
  for (const owner of owners) {
    counts[owner] = [await store.countTokens({ owner }), await store.countCollections({ owner })];
  }
  for (const key of history.keys()) {
    const [collectionAddr, tokenId] = key.split("/") as [HexAddress, string];
    const rows = await store.readTransactions({ ...page, collectionAddr, tokenId });
    transactions[key] = rows.map(({ txHash }) => txHash);
  }
  return { tokens, counts, transactions };
}

function stateOfModel(model: Model, history: ReadonlyMap<string, readonly string[]>) {
  const entries = [...model];
  const tokens = Object.fromEntries(entries.map(([key, { owner, uri, height }]) => [key, { owner, uri, height }]));
  const counts: Record<string, unknown> = {};
  for (const addr of collections) counts[addr] = entries.filter(([key]) => key.startsWith(addr)).length;
  for (const owner of owners) {
    const own = entries.filter(([, token]) => token.owner === owner);
    counts[owner] = [own.length, new Set(own.map(([key]) => key.split("/")[0])).size];
  }
  return { tokens, counts, transactions: Object.fromEntries(history) };
}
