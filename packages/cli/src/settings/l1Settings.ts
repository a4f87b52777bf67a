import { nodeFileName, type NodeFile } from "@vipscore/localnet/nodeFile";
import type { Io } from "../io.ts";
import type { ConfigFile } from "./configFile.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that say where L1 is. */
export interface L1Flags {
  readonly l1RestUrl?: string;
  readonly vipAddress?: string;
}

/** Where L1 is. */
export interface L1Settings {
  /** REST endpoint of L1. */
  readonly restUrl: Setting<string>;
  /** Address of the module `vip` there; undefined where it is known by the chain's id. */
  readonly vipAddress: Setting<string> | undefined;
}

/** Where L1 is: flag, then environment, then settings file, then what was started beside the local node. */
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
  // The local L1's module is at an address of its own, which must not be looked for on another chain.
  const local = restUrl.source === nodeFileName ? localNode?.l1?.vipAddress : undefined;
  const vipAddress = firstSetting(
    ["--vip-address", flags.vipAddress],
    ["VIP_ADDRESS", io.env["VIP_ADDRESS"]],
    [config.name, config.vipAddress],
    [nodeFileName, local],
  );
  return { restUrl, vipAddress };
}
