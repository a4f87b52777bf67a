import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError, type Vm } from "@vipscore/core";
import { isObject } from "@vipscore/core/http";
import { systemErrorCode } from "../valueAt.ts";

/** Where `vipscore deploy` records contracts, below the current folder. */
export const deploymentsFileName = ".vipscore/deployments.json";

/** A recorded contract. */
export interface Deployment {
  /** The contract's address as the chain spells it. */
  readonly address: string;
  /** Hash of the transaction that created it; absent where it was there before. */
  readonly txHash?: string;
}

type Deployments = Readonly<Record<string, Deployment>>;

/**
 * The contract that was last deployed from this folder on a chain.
 *
 * @throws InputError `CONFIG_INVALID` when the file is damaged.
 */
export async function readDeployment(cwd: string, vm: Vm, chainId: string): Promise<Deployment | undefined> {
  return (await readDeployments(cwd))[`${vm}:${chainId}`];
}

/** Records a contract as the one that later commands in this folder use on this chain. */
export async function recordDeployment(cwd: string, vm: Vm, chainId: string, deployment: Deployment): Promise<void> {
  const file = join(cwd, deploymentsFileName);
  const all = { ...(await readDeployments(cwd)), [`${vm}:${chainId}`]: deployment };
  await mkdir(dirname(file), { recursive: true });
  // Written aside and renamed, so that a crash cannot leave half a file.
  const aside = `${file}.${process.pid}.tmp`;
  await writeFile(aside, `${JSON.stringify(all, undefined, 2)}\n`);
  await rename(aside, file);
}

async function readDeployments(cwd: string): Promise<Deployments> {
  let text: string;
  try {
    text = await readFile(join(cwd, deploymentsFileName), "utf8");
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
  return value;
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
    metaMessages: ["Move it away and name the contract with --contract or CONTRACT_ADDRESS."],
  });
}
