import type { Vm } from "@vipscore/core";
import type { Context } from "../context.ts";
import type { Protocol } from "../rollup/rollups.ts";
import type { Setting } from "../settings/setting.ts";
import { identifyEndpoint } from "./identifyEndpoint.ts";
import { requireKind } from "./requireKind.ts";

/**
 * Asks an endpoint for its rollup's VM, and reports a wait for a slow one.
 *
 * @param protocolOf - The protocol that the command needs on a VM. Default: the one for the VM's contracts.
 * @throws InputError `CONFIG_INVALID` for an endpoint of another kind; errors of {@link identifyEndpoint}.
 */
export async function askVm(
  { io, output }: Context,
  endpoint: Setting<string>,
  protocolOf?: (vm: Vm) => Protocol,
): Promise<Vm> {
  const onSilence = (shown: string): void =>
    output.note(`waiting   for ${shown} to show which VM its rollup runs (up to 30 s; --vm names it)`);
  return requireKind(endpoint, await identifyEndpoint(endpoint.value, { signal: io.signal, onSilence }), protocolOf);
}
