import { expect, test } from "vitest";
import { playNode, recorded, recordedBlocks } from "@vipscore/testkit/playedComet";
import { cosmosChain } from "../../src/chain/cosmos/cosmosChain.ts";

const collectionAddr = "0x2387b394f9a4d1338e5aa4a5079e2c7b9c636a1b1035a4694883fe2dc217e7aa";
const [one, two] = [
  "0x3d34b7397fde2354e3f87cacb93d6c50dd2a236311a0afa596c4c938dd2a0045",
  "0xb1eb7e73ade60e3782b2a43b4b35c230104ce34ee56a1d7d3ec9e3caf574b84c",
] as const;
const deployer = "0xc5ea55d90ae84e307622f1b8b13535ec3eff0475";
const operator = "0x8cad25ec80a10522c258e2f59abf0006c9445d1b";
const { signal } = new AbortController();

test("the blocks of a recorded chain yield the changes that were made on it", async () => {
  const { url, requests } = await playNode({ blocks: recordedBlocks, earliest: 1, latest: 38640 });
  const chain = cosmosChain({ rpcNodeUrl: url });
  const blocks = await chain.readBlocks(38600, 38640, { isKnown: () => false, signal });
  const [created, mintedOne, mintedTwo, transferred, described, burned] = recorded.transactions.map(({ hash }) => hash);
  expect(blocks.map(({ height, changes }) => [height, changes])).toEqual([
    [38619, [{ kind: "collection", collectionAddr, name: "Good Cats 560", creator: deployer }]],
    [38623, [minted("1", one, "ipfs://1", mintedOne)]],
    [38627, [minted("cat-two", two, "ipfs://cat-two", mintedTwo)]],
    [38631, [{ kind: "transferred", token: { objectAddr: two }, owner: operator, txHash: transferred }]],
    [38635, [{ kind: "uriChanged", token: { objectAddr: two }, uri: "ipfs://new", txHash: described }]],
    [
      38639,
      [
        { kind: "burned", token: { objectAddr: two }, txHash: burned },
        { kind: "burned", token: { collectionAddr, tokenId: "cat-two" }, txHash: burned },
      ],
    ],
  ]);
  expect(created).toBeDefined();
  expect(blocks[0]?.timestamp).toBe("2026-11-21T07:27:43Z");
  // Three requests for headers, plus the results and transactions of the six blocks that have any.
  expect(requests).toHaveLength(15);
  expect(await chain.readChainId(signal)).toBe("local-move-1");
});

function minted(tokenId: string, objectAddr: string, uri: string, txHash: string | undefined) {
  return { kind: "minted", collectionAddr, tokenId, owner: deployer, uri, objectAddr, txHash };
}

test("complete recorded answers are read like the fake ones", async () => {
  const { url } = await playNode({
    blocks: recordedBlocks,
    earliest: 1,
    latest: 38640,
    overrides: {
      block: ({ parameters }) => (parameters["height"] === "38627" ? { body: recorded.block } : undefined),
      block_results: ({ parameters }) =>
        parameters["height"] === "38627" ? { body: recorded.block_results } : undefined,
      status: () => ({ body: recorded.status }),
      abci_info: () => ({ body: recorded.abci_info }),
    },
  });
  const chain = cosmosChain({ rpcNodeUrl: url });
  const [block] = await chain.readBlocks(38627, 38627, { isKnown: () => true, signal });
  expect(block?.changes).toEqual([minted("cat-two", two, "ipfs://cat-two", recorded.transactions[2]?.hash)]);
  expect(await chain.readHead(signal)).toBe(5367);
  expect(await chain.readChainId(signal)).toBe("local-move-1");
});
