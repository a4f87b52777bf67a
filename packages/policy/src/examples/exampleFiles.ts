import { readFile } from "node:fs/promises";
import { systemErrorCode, type Vm } from "@vipscore/core";

/** The example policies, each for every VM. */
export const policyExamples = ["nft-holders", "game", "lending", "volume"] as const;

/** One of {@link policyExamples}. */
export type PolicyExample = (typeof policyExamples)[number];

/** Facts about the rollup that an example needs. */
export interface ExampleOptions {
  readonly example: PolicyExample;
  readonly vm: Vm;
  /** The rollup's chain ID. */
  readonly chainId: string;
  /** Address of the contract whose events count; of the collection for `nft-holders`. */
  readonly contract: string;
}

const folder = new URL("../../examples/", import.meta.url);

/** Returns the files of an example policy by their names, ready to be written into a folder. */
export async function exampleFiles(options: ExampleOptions): Promise<ReadonlyMap<string, string>> {
  const { example, vm, chainId, contract } = options;
  const read = (name: string): Promise<string> => readFile(new URL(name, folder), "utf8");
  const settings = await read(`${example}/policy.${vm}.toml`).catch((error: unknown) => {
    // The same for all VMs.
    if (systemErrorCode(error) === "ENOENT") return read(`${example}/policy.toml`);
    throw error;
  });
  return new Map([
    ["policy.toml", settings.replaceAll("{chain_id}", chainId).replaceAll("{contract}", contract)],
    ["policy.sql", await read(`${example}/policy.sql`)],
    ["exclude.csv", await read("exclude.csv")],
    [".gitattributes", "* text=auto eol=lf\n"],
  ]);
}
