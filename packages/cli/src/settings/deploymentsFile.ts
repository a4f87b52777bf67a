import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileUnwritable, InputError, systemErrorCode, writeWholeFile, type Vm } from "@vipscore/core";
import { isObject } from "@vipscore/core/wire";
import { readFileText } from "../files/readFileText.ts";
import type { Io } from "../io/io.ts";

/** The file in which `vipscore deploy` records contracts, relative to the current folder. */
export const deploymentsFileName = ".vipscore/deployments.json";

/** A recorded contract. */
export interface Deployment {
  /** The contract's address as the chain spells it. */
  readonly address: string;
  /** Hash of the transaction that created it; absent if it already existed. */
  readonly txHash?: string;
}

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
  let text: string;
  try {
    text = await readFileText(join(io.cwd, deploymentsFileName), io);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return {};
    throw damaged("cannot be read");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged("is not JSON");
  }
  if (!isDeployments(value)) throw damaged("does not list deployments");
  // Drop all other content, so that the file can always be written again.
  return Object.fromEntries(
    Object.entries(value).map(([key, { address, txHash }]) => [
      key,
      { address, ...(txHash === undefined ? {} : { txHash }) },
    ]),
  );
}

function isDeployments(value: unknown): value is Deployments {
  return isObject(value) && Object.values(value).every(isDeployment);
}

function isDeployment(value: unknown): value is Deployment {
  if (!isObject(value) || typeof value["address"] !== "string") return false;
  return value["txHash"] === undefined || typeof value["txHash"] === "string";
}

function damaged(how: string): InputError {
  return new InputError(`${deploymentsFileName} ${how}`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Move it away and set --contract or CONTRACT_ADDRESS."],
  });
}
