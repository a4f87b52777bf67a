import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { formatBech32, parseAccount, type Vm } from "@vipscore/core";
import { exampleFiles } from "@vipscore/policy";
import type { TestFolder } from "./harness.ts";
import { addresses } from "./proposalL1.ts";

/** The bridge's account on L1. */
export const bridgeAddress = formatBech32(parseAccount(`0x${"b7".repeat(32)}`, { accountBytes: [32] }));

/** The settings of a registration; `changes` replaces fields, and undefined removes them. */
export function settingsOf(contract: string, bridgeId: bigint, changes: object = {}): string {
  return JSON.stringify({
    title: "Register the rollup",
    summary: "Users of the rollup earn.",
    metadata: "https://forum.example.org/t/1",
    deposit: "10000000umin",
    proposer: addresses.deployer,
    bridgeId: bridgeId.toString(),
    bridgeAddress,
    operator: addresses.operator,
    contract,
    commission: { maxRate: "0.5", maxChangeRate: "0.1", rate: "0.05" },
    policy: "https://example.org/policy",
    recompute: "Run `npx @vipscore/cli score` with the published weights.",
    ...changes,
  });
}

/** Writes an example policy into the folder `policy`. */
export async function writePolicy(folder: TestFolder, vm: Vm): Promise<void> {
  await mkdir(join(folder.cwd, "policy"));
  const named = { example: "volume", vm, chainId: "1", contract: `0x${"b7".repeat(32)}` } as const;
  for (const [name, text] of await exampleFiles(named)) await folder.write(`policy/${name}`, text);
}

/** The changes for the settings of another contract. */
export const contractFields = { bridgeAddress: undefined, operator: undefined, commission: undefined };
