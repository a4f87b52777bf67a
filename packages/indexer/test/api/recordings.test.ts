import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeAddress } from "@vipscore/indexer-client/address";
import { createApi } from "../../src/api/createApi.ts";
import type { NftBlock } from "../../src/chain/nftChain.ts";
import { openStore, type Store } from "../../src/store/openStore.ts";
import { address, collection, mint } from "../store/blocks.ts";
import { databases } from "../store/databases.ts";

interface Recording {
  readonly note: string;
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const file = new URL("recordings/nftIndexer.json", import.meta.url);
const recordings = JSON.parse(readFileSync(file, "utf8")) as readonly Recording[];

/** The live rollup, according to its answers. */
const live: readonly NftBlock[] = [
  {
    height: 212,
    timestamp: "2026-11-21T06:15:49.056797Z",
    changes: [
      collection(
        "0x1d8e31d5071bb4072fffc05b792685dcc5085bde",
        "Good Cats",
        decodeAddress("init1s8cr05vt9ldzlx658e6swakpmrlgdu5ckg0k3y"),
      ),
    ],
  },
  ...(
    [
      [460, "2026-11-21T06:16:25.3724Z", "1"],
      [474, "2026-11-21T06:16:27.448447Z", "42"],
      [488, "2026-11-21T06:16:29.522024Z", String(2n ** 256n - 1n)],
    ] as const
  ).map(([height, timestamp, tokenId]) => ({
    height,
    timestamp,
    changes: [
      mint("0x1d8e31d5071bb4072fffc05b792685dcc5085bde", tokenId, "0xaaaa00000000000000000000000000000000aaaa", {
        uri: "ipfs://good",
      }),
    ],
  })),
];

/** The generated state: token `n` at height 100 + n. */
const made: readonly NftBlock[] = Array.from({ length: 250 }, (_, number) => {
  const addr = "0xc100000000000000000000000000000000000001";
  const uri = `https://x/${number}?a=1&b=<2>`;
  return {
    height: 100 + number,
    timestamp: "2025-01-01T00:00:00.123456Z",
    changes: [
      ...(number === 0 ? [collection(addr, "My Nft")] : []),
      ...(number === 9 ? [{ kind: "originNamed", name: "My Nft", originName: "My Origin" } as const] : []),
      mint(addr, String(number), address("aa"), { uri }),
    ],
  };
});

const states = [
  { blocks: live, chainId: "rly-evm-1", height: 2037, recorded: recordings.slice(0, 4) },
  { blocks: made, chainId: "made", height: 349, recorded: recordings.slice(4) },
];

describe.each(databases)("%s", (_name, create) => {
  describe.each(states)("$chainId", ({ blocks, chainId, height, recorded }) => {
    let store: Store;
    beforeAll(async () => {
      store = await openStore(await create());
      await store.beginChain(chainId, 0);
      await store.applyBlocks(blocks, { height, blockHash: "" });
    });
    afterAll(() => store.close());

    it.each(recorded.map((recording) => [recording.note, recording] as const))("%s", async (_note, recording) => {
      const path = recording.request.replace(/^GET /, "");
      const response = await createApi({ store }).request(path);
      if (recording.status === 500) {
        // The recorded server could never serve this row; ours does not have it.
        expect(await response.json()).toMatchObject({ tokens: [] });
        return;
      }
      expect(response.status).toBe(recording.status);
      expect(response.headers.get("content-type")).toBe(recording.contentType);
      const body = await response.text();
      expect(readable(body, recording)).toEqual(readable(recording.body, recording));
    });
  });
});

/** The compared part of a body. */
function readable(body: string, { contentType, request }: Recording): unknown {
  if (contentType !== "application/json") return body;
  const answer = JSON.parse(body) as Record<string, unknown>;
  if (!request.endsWith("/status")) return answer;
  // Ours does not have the recorded server's other fields, and adds the number of items left out.
  const { version, commit_hash, chain_id, height } = answer;
  return { version, commit_hash, chain_id, height };
}
