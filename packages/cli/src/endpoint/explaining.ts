import { InputError, VipError } from "@vipscore/core";
import type { Rollup } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Settings } from "../settings/readSettings.ts";
import { identifyEndpoint } from "./identifyEndpoint.ts";
import { describeKind } from "./requireKind.ts";

/** Time limit for identifying an endpoint that has already failed, in milliseconds. */
const patienceMs = 3_000;

/**
 * Wraps a rollup so that its failures name the endpoint's real VM and protocol if these are not the ones that the settings
 * expect.
 */
export function explaining(rollup: Rollup, settings: Settings, signal: AbortSignal): Rollup {
  const explain = async (error: unknown): Promise<never> => {
    throw (await mistake(error, settings, signal)) ?? error;
  };
  return {
    signerAddress: rollup.signerAddress,
    readChainId: () => rollup.readChainId().catch(explain),
    connect: (address) => rollup.connect(address).catch(explain),
    deploy: (request) => rollup.deploy(request),
  };
}

/** Returns the mistake in the settings behind an unusable answer; undefined if there is none. */
async function mistake(
  failure: unknown,
  { endpoint, vm, vmSource }: Settings,
  signal: AbortSignal,
): Promise<InputError | undefined> {
  if (vmSource === undefined || signal.aborted || !VipError.isVipError(failure)) return undefined;
  if (failure.code !== "NODE_BAD_RESPONSE" && failure.code !== "NODE_ERROR") return undefined;
  const kind = await identifyEndpoint(endpoint.value, { signal, patienceMs }).catch(() => undefined);
  const { name, endpoint: needed } = rollups[vm];
  if (kind?.vm === undefined || (kind.vm === vm && kind.protocols.includes(needed.protocol))) return undefined;
  return new InputError(`${describeKind(kind)}, not the ${needed.protocol} endpoint of ${name}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`The URL comes from ${endpoint.source}, its VM from ${vmSource}.`],
    cause: failure,
  });
}
