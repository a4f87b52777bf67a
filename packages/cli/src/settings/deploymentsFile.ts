import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUnwritable, ifExists, InputError, readJsonFile, writeWholeFile, type Vm } from "@vipscore/core";
import { fields, optional, text } from "@vipscore/core/field";
import { pathOf } from "../contract/readTable.ts";
import type { Io } from "../io/io.ts";

/** The file in which `vipscore deploy` records contracts, relative to the current folder. */
export const deploymentsFileName = ".vipscore/deployments.json";

/** A recorded contract. */
export interface Deployment {
  /** The contract's address as the chain spells it. */
  readonly address: string;
  /** Hash of the transaction that created it; absent if it already existed. */
  readonly txHash?: string | undefined;
}

const readRecord = fields({ address: text, txHash: optional(text) });

type Deployments = Readonly<Record<string, Deployment>>;

/**
 * Returns the contract that was last deployed from this folder on a chain.
 *
 * @throws InputError `CONFIG_INVALID` when the file is damaged.
 */
export async function readDeployment(io: Io, vm: Vm, chainId: string): Promise<Deployment | undefined> {
  return (await readDeployments(io))[`${vm}:${chainId}`];
}

/**
 * Records a contract as the one that later commands in this folder use on this chain.
 *
 * @throws InputError `CONFIG_INVALID`; `FILE_UNWRITABLE`, naming the contract, which exists nevertheless.
 */
export async function recordDeployment(io: Io, vm: Vm, chainId: string, deployment: Deployment): Promise<void> {
  const file = join(io.cwd, deploymentsFileName);
  const all = { ...(await readDeployments(io)), [`${vm}:${chainId}`]: deployment };
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeWholeFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
  } catch (cause) {
    throw fileUnwritable(deploymentsFileName, cause, [
      `The contract exists at ${deployment.address} on chain ${chainId}: set --contract or CONTRACT_ADDRESS to use it.`,
    ]);
  }
}

async function readDeployments(io: Io): Promise<Deployments> {
  const file = await ifExists(
    readJsonFile(pathOf(io, deploymentsFileName), { name: deploymentsFileName, refuse: damaged, signal: io.signal }),
  );
  if (file === undefined) return {};
  // Drops all other content, so that the file can always be written again.
  return Object.fromEntries(file.names.map((key) => [key, readRecord(file.at(key))]));
}

function damaged(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Move it away and set --contract or CONTRACT_ADDRESS."],
  });
}
