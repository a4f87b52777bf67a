import type { Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/core/nodeFile";
import type { Context } from "../context.ts";
import { askVm } from "../endpoint/askVm.ts";
import { findEndpoint, type EndpointFlags } from "../endpoint/findEndpoint.ts";
import { readConfigFile } from "../settings/configFile.ts";

/** The flags that name the rollup whose NFTs are indexed. */
export interface RollupFlags extends EndpointFlags {
  readonly config?: string;
}

/** The rollup whose NFTs are indexed. */
export interface RollupSource {
  readonly vm: Vm;
  /** The rollup's endpoint; undefined if none is set. */
  readonly url: string | undefined;
  /** True if it is the local node's. */
  readonly isLocal: boolean;
}

/**
 * Finds the VM and the rollup's endpoint: flag, then environment, then settings file, then the local node's file. Asks the
 * endpoint for its VM if no setting names it; without an endpoint, assumes EVM.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`; NodeError; the signal's reason when aborted.
 */
export async function readRollupSource(context: Context, flags: RollupFlags): Promise<RollupSource> {
  const { io, scrubber } = context;
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const { endpoint, vm: named } = findEndpoint(io, flags, config, node);
  if (endpoint === undefined) return { vm: named?.value ?? "evm", url: undefined, isLocal: false };
  const { value: url, source } = endpoint;
  scrubber.addUrl(url);
  const vm = named?.value ?? (await askVm(context, endpoint));
  return { vm, url, isLocal: source === nodeFileName };
}
