import { join } from "node:path";
import { expect } from "vitest";
import type { LocalNode } from "@vipscore/localnet";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import {
  openPolicyChain,
  openRollupNode,
  openSources,
  readPolicy,
  type CollectProgress,
  type SourceRow,
} from "../src/index.ts";
import { openPolicyFolder } from "./policyFolder.ts";
import { rowsOf } from "./rowsOf.ts";

/** Result of collecting a source. */
export interface Collected {
  readonly rows: readonly SourceRow[];
  /** The rows as objects by the names of the columns. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly digest: string;
}

/** Options for collecting a source. */
export interface CollectOptions {
  /** The blocks of the window. */
  readonly blocks: readonly [first: number, last: number];
  /** The folder of stored data. Default: a new one, removed afterwards. */
  readonly folder?: string;
  /** Other files of the policy. Default: none. */
  readonly files?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CollectProgress) => void;
}

/** Collects the first source of a policy from a node. `source` is the text of its table, without its name. */
export async function collectSource(
  node: Pick<LocalNode, "vm" | "rpcUrl" | "chainId">,
  source: string,
  {
    blocks,
    folder = temporaryFolder(),
    files: others = {},
    signal = new AbortController().signal,
    onProgress,
  }: CollectOptions,
): Promise<Collected> {
  const rollup = `[rollup]\nchain_id = "${node.chainId}"\n\n[window]\nblocks = [${blocks.join(", ")}]`;
  const toml = `name = "test"\nversion = "1"\n\n${rollup}\n\n[[source]]\nname = "found"\n${source}\n`;
  await using files = await openPolicyFolder({ "policy.toml": toml, ...others });
  const policy = await readPolicy(files.path);
  const rollupNode = openRollupNode(node.vm, node.rpcUrl);
  const chain = await openPolicyChain(policy, { node: rollupNode, folder, onProgress, signal });
  const [opened] = openSources(policy, chain);
  if (opened === undefined) throw new Error("the policy has no source");
  const collected = await opened.collect({ signal, folder: join(files.path, "run") });
  const rows = await rowsOf(collected);
  expect(await rowsOf(collected, "reversed")).toEqual(rows.toReversed());
  expect(collected.rows).toBe(rows.length);
  const records = rows.map((row) => Object.fromEntries(opened.columns.map(({ name }, index) => [name, row[index]])));
  return { rows, records, digest: collected.digest };
}
