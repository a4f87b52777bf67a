import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  openPolicyChain,
  openRollupNode,
  openSources,
  readPolicy,
  readRows,
  type BlockRange,
  type CollectProgress,
  type SourceData,
  type SourceValue,
} from "@vipscore/policy";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { openNftOwners } from "../../src/startIndexer.ts";

/** A chain that a policy counts. */
export interface CountedChain {
  readonly vm: "evm" | "move" | "wasm";
  readonly url: string;
  readonly chainId: string;
}

/** Options of collecting a policy. */
export interface CollectOptions {
  readonly onProgress?: (progress: CollectProgress) => void;
  readonly signal?: AbortSignal;
}

/** A policy over one collection with its own data folder. */
export interface NftPolicy {
  /** The rows of holdings over time and at the end of a window; heights as numbers. */
  collect(window: BlockRange, options?: CollectOptions): Promise<Collected>;
}

interface Collected {
  readonly over: Rows;
  readonly held: Rows;
  /** See `SourceData`; of both. */
  readonly leftOut: number | undefined;
}

/** Rows without their collection. */
export type Rows = readonly (readonly (string | number | boolean)[])[];

/** Creates a policy over one collection. */
export async function policyOfNfts({ vm, url, chainId }: CountedChain, collection: string): Promise<NftPolicy> {
  const folder = temporaryFolder();
  const source = (kind: string) =>
    `[[source]]\nname = "${kind}"\nkind = "${kind}"\ncollections = ["${collection}"]\nmay_be_empty = true\n`;
  const kinds = source("nft_holdings_over_time") + source("nft_holdings");
  await writeFile(join(folder, "policy.sql"), "select 1");
  return {
    async collect({ first, last }, { signal = new AbortController().signal, onProgress } = {}) {
      const head = `name = "nfts"\nversion = "1"\n[rollup]\nchain_id = "${chainId}"\n`;
      await writeFile(join(folder, "policy.toml"), `${head}[window]\nblocks = [${first}, ${last}]\n${kinds}`);
      const policy = await readPolicy(folder);
      const chain = await openPolicyChain(policy, {
        node: openRollupNode(vm, url),
        folder: join(folder, "data"),
        openNftOwners: (collections) =>
          openNftOwners(vm === "evm" ? { jsonRpcUrl: url } : { rpcNodeUrl: url }, collections),
        onProgress,
        signal,
      });
      const [over, held] = openSources(policy, chain);
      const run = { folder: join(folder, "run"), signal };
      const [ofOver, ofHeld] = [await over!.collect(run), await held!.collect(run)];
      if (ofOver.leftOut !== ofHeld.leftOut) throw new Error("sources of the same tokens left out different numbers");
      return { over: await rowsOf(ofOver), held: await rowsOf(ofHeld), leftOut: ofHeld.leftOut };
    },
  };
}

async function rowsOf(source: SourceData): Promise<Rows> {
  const rows: (readonly (string | number | boolean)[])[] = [];
  for await (const batch of readRows(source)) {
    rows.push(...batch.map(([, ...values]) => values.map(plain)));
  }
  return rows;
}

function plain(value: SourceValue): string | number | boolean {
  return typeof value === "bigint" ? Number(value) : (value ?? "");
}
