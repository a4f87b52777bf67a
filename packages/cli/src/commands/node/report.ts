import { formatBech32, parseAccount } from "@vipscore/core";
import type { RunningIndexer } from "@vipscore/indexer";
import type { CosmosNode, LocalNode } from "@vipscore/localnet";
import { rollups } from "../../rollup/rollups.ts";

/** A local node of any VM. */
export type AnyNode = LocalNode & { readonly restUrl?: string };

/** A local chain that imitates Initia's L1. */
export type LocalL1 = CosmosNode & { readonly vipAddress: string };

/** The parts that `vipscore node` runs. */
export interface NodeParts {
  readonly node: AnyNode;
  readonly l1: LocalL1 | undefined;
  readonly indexer: RunningIndexer | undefined;
}

/** Returns the lines with all addresses, for people. */
export function nodeText({ node, l1, indexer }: NodeParts): readonly string[] {
  const { vm, kind, rpcUrl, restUrl, chainId, accounts } = node;
  const where = restUrl === undefined ? rpcUrl : `${restUrl} (REST) and ${rpcUrl} (RPC)`;
  return [
    `${kind} listens on ${where}, chain ID ${chainId}`,
    ...(l1 === undefined
      ? []
      : [`L1 listens on ${l1.restUrl} (REST), chain ID ${l1.chainId}, module vip at ${l1.vipAddress}`]),
    ...(indexer === undefined ? [] : [`the NFT indexer API is at ${indexer.url}`]),
    ...accounts.map(({ name, address }) => {
      const isBech32 = rollups[vm].addressForm === "bech32";
      const shown = isBech32 ? formatBech32(parseAccount(address, { accountBytes: [20] })) : address;
      return `${name.padEnd(9)} ${shown}  funded, PUBLIC test key`;
    }),
    "Press Ctrl-C to stop it; the chain's state is lost.",
  ];
}

/** Returns the same for programs. */
export function nodeJson({ node, l1, indexer }: NodeParts): object {
  const { vm, kind, rpcUrl, restUrl, chainId, accounts } = node;
  return {
    command: "node",
    vm,
    kind,
    rpcUrl,
    ...(restUrl === undefined ? {} : { restUrl }),
    chainId,
    accounts: accounts.map(({ name, address }) => ({ name, address })),
    ...(l1 === undefined ? {} : { l1: { restUrl: l1.restUrl, chainId: l1.chainId, vipAddress: l1.vipAddress } }),
    ...(indexer === undefined ? {} : { indexerUrl: indexer.url }),
  };
}
