import type { Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import { endpointOfNode, rollups } from "../rollup/rollups.ts";
import { readConfigFile } from "../settings/configFile.ts";
import { checkVm, findVm } from "../settings/findVm.ts";
import { firstSetting } from "../settings/setting.ts";

/** The flags that say where the rollup is whose NFTs are indexed. */
export interface RollupFlags {
  readonly vm?: string;
  readonly rpcUrl?: string;
  readonly restUrl?: string;
  readonly rpcNodeUrl?: string;
  readonly config?: string;
}

/** The rollup whose NFTs are indexed. */
export interface RollupSource {
  readonly vm: Vm;
  /** The endpoint that the VM is reached by; undefined where none was named. */
  readonly url: string | undefined;
  /** True where it is the local node's. */
  readonly isLocal: boolean;
}

/**
 * Settles the VM and the rollup's endpoint: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`.
 */
export async function readRollupSource({ io, scrubber }: Context, flags: RollupFlags): Promise<RollupSource> {
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const vm = checkVm(findVm(io, flags, config, node));
  const { flag, env, key } = rollups[vm].endpoint;
  const setting = firstSetting(
    [flag, flags[key]],
    [env, io.env[env]],
    [config.name, config[key]],
    [nodeFileName, node === undefined ? undefined : endpointOfNode(node, vm)],
  );
  scrubber.addUrl(setting?.value ?? "");
  return { vm, url: setting?.value, isLocal: setting?.source === nodeFileName };
}
