/**
 * Follows a chain of heavy blocks, which needs no node, into the SQLite file in the first argument, until it is killed or has the
 * number of blocks in the second one, and all URIs. Prints the stored height at the start, and after each block and each read of
 * URIs. If the third argument is "together", each URI is read with its block.
 */
import type { HexAddress, NftChain, NftChange } from "../../src/chain/nftChain.ts";
import { followChain } from "../../src/follow/followChain.ts";
import { openStore } from "../../src/store/openStore.ts";
import { withUris } from "../withUris.ts";

const [file = "", count = "0", how = ""] = process.argv.slice(2);
const isTogether = how === "together";
const head = Number(count);
const collectionAddr: HexAddress = `0x${"cc".repeat(20)}`;
const mintsPerBlock = 300;
const ownerOf = (number: number): HexAddress => `0x${(number % 977).toString(16).padStart(40, "a")}`;

/** Mints tokens, moves half of those of the block before, and burns a tenth of those before that. */
function changesOf(height: number): readonly NftChange[] {
  const idsOf = (block: number) =>
    Array.from({ length: block < 1 ? 0 : mintsPerBlock }, (_, index) => block * mintsPerBlock + index);
  const txHash = `0x${height.toString(16).padStart(64, "0")}`;
  const token = (id: number) => ({ collectionAddr, tokenId: String(id) });
  const minted = { kind: "minted", objectAddr: undefined, txHash } as const;
  return [
    ...(height === 1 ? [{ kind: "collection", collectionAddr, name: "Heavy", creator: ownerOf(0) } as const] : []),
    ...idsOf(height).map((id) => ({ ...minted, ...token(id), owner: ownerOf(id), uri: undefined })),
    ...idsOf(height - 1)
      .filter((id) => id % 2 === 0)
      .map((id) => ({ kind: "transferred", token: token(id), owner: ownerOf(id * 7), txHash }) as const),
    ...idsOf(height - 2)
      .filter((id) => id % 10 === 0)
      .map((id) => ({ kind: "burned", token: token(id), txHash }) as const),
  ];
}

const hashOf = (height: number) => height.toString(16).padStart(64, "0");
const chain: NftChain = {
  blocksPerRead: 1,
  readChainId: async () => "heavy-1",
  readHead: async () => head,
  readBlockHash: async (height) => hashOf(height),
  readUris: async (pending) => pending.map((one) => ({ ...one, uri: `ipfs://${one.tokenId}/${one.height}` })),
  readBlocks: async (first) => [
    { height: first, timestamp: new Date(first * 1_000).toISOString(), changes: changesOf(first) },
  ],
};
const store = await openStore(file);
const print = (value: number): void => console.log(String(value));
print((await store.readChain())?.height ?? 0);
const stopping = new AbortController();
await followChain({
  chain: isTogether ? withUris(chain) : chain,
  store,
  onEvent: (event) => {
    if (event.type === "indexed") print(event.height);
    if (event.type === "urisRead") print(head);
    const isLast = isTogether
      ? event.type === "indexed" && event.height === head
      : event.type === "urisRead" && event.pendingUris === 0;
    if (isLast) stopping.abort();
  },
  signal: stopping.signal,
});
await store.close();
