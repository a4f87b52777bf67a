import type { Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/localnet/nodeFile";
import type { Context } from "../context.ts";
import { readConfigFile } from "../settings/configFile.ts";
import { findEndpoint, type EndpointFlags } from "../settings/findEndpoint.ts";
import { checkVm, findVm } from "../settings/findVm.ts";

/** The flags that say where the rollup is whose NFTs are indexed. */
export interface RollupFlags extends EndpointFlags {
  readonly vm?: string;
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
  const setting = findEndpoint(vm, io, flags, config, node);
  scrubber.addUrl(setting?.value ?? "");
  return { vm, url: setting?.value, isLocal: setting?.source === nodeFileName };
}
