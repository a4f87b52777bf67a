import { InputError, type Vm } from "@vipscore/core";
import { rollups, type Protocol } from "../rollup/rollups.ts";
import type { Setting } from "../settings/setting.ts";
import type { EndpointKind } from "./identifyEndpoint.ts";

/** The port on which a node usually serves a protocol. */
const defaultPorts: Readonly<Record<Protocol, number>> = { "JSON-RPC": 8545, REST: 1317, RPC: 26657 };

/**
 * Returns the VM of an endpoint that a command can use.
 *
 * @param protocolOf - The protocol that the command needs on a VM. Default: the one for the VM's contracts.
 * @throws InputError `CONFIG_INVALID`, naming the required protocol, for any other endpoint.
 */
export function requireKind(
  { source }: Setting<string>,
  { shown, protocols, vm }: EndpointKind,
  protocolOf: (vm: Vm) => Protocol = (each) => rollups[each].endpoint.protocol,
): Vm {
  const kind = protocols.join(" and ");
  if (vm === undefined) {
    throw new InputError(`${source}: the chain at ${shown} (${kind}) does not run EVM, Move or Wasm`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Name an endpoint of the rollup, or its VM with --vm."],
    });
  }
  const needed = protocolOf(vm);
  if (protocols.includes(needed)) return vm;
  throw new InputError(`${source}: ${describeKind({ shown, protocols, vm })}; its ${needed} endpoint is needed`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Name that one; a node usually serves it on port ${defaultPorts[needed]}.`],
  });
}

/** `https://rest.example.org is the REST endpoint of a Wasm rollup`. */
export function describeKind({ shown, protocols, vm }: EndpointKind): string {
  const rollup = vm === undefined ? "a chain" : rollups[vm].aRollup;
  return `${shown} is the ${protocols.join(" and ")} endpoint of ${rollup}`;
}
