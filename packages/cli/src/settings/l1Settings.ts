import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import type { VipOptions } from "@vipscore/l1";
import type { Io } from "../io/io.ts";
import { readConfigFile, type ConfigFile } from "./configFile.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that name L1. */
export interface L1Flags {
  readonly l1RestUrl?: string;
  readonly vipAddress?: string;
}

/** The flags of a command that reads L1 and no rollup. */
export interface L1CommandFlags extends L1Flags {
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

/** L1's endpoint and VIP module. */
export interface L1Settings {
  /** REST endpoint of L1. */
  readonly restUrl: Setting<string>;
  /** Address of the VIP module; undefined if the chain ID determines it. */
  readonly vipAddress: Setting<string> | undefined;
}

/** Finds L1: flag, then environment, then settings file, then the L1 of the local node. */
export function readL1Settings(
  io: Io,
  flags: L1Flags,
  config: ConfigFile,
  localNode: NodeFile | undefined,
): L1Settings | undefined {
  const restUrl = firstSetting(
    ["--l1-rest-url", flags.l1RestUrl],
    ["L1_REST_URL", io.env["L1_REST_URL"]],
    [config.name, config.l1RestUrl],
    [nodeFileName, localNode?.l1?.restUrl],
  );
  if (restUrl === undefined) return undefined;
  // The local L1's module has its own address, which does not apply to other chains.
  const local = restUrl.source === nodeFileName ? localNode?.l1?.vipAddress : undefined;
  const vipAddress = firstSetting(
    ["--vip-address", flags.vipAddress],
    ["VIP_ADDRESS", io.env["VIP_ADDRESS"]],
    [config.name, config.vipAddress],
    [nodeFileName, local],
  );
  return { restUrl, vipAddress };
}

/**
 * Finds L1 for a command that reads no rollup; undefined if no setting names it.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`.
 */
export async function findL1Settings(io: Io, flags: L1CommandFlags): Promise<L1Settings | undefined> {
  return readL1Settings(io, flags, await readConfigFile(io, flags.config), await readNodeFile(io.cwd));
}

/** Returns how `@vipscore/l1` reads this L1. */
export function vipOptions({ restUrl, vipAddress }: L1Settings, signal: AbortSignal): VipOptions {
  return { l1RestUrl: restUrl.value, vipAddress: vipAddress?.value, signal };
}
