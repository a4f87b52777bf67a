import { InputError, VipError } from "@vipscore/core";
import type { Rollup } from "../rollup/rollup.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Settings } from "../settings/readSettings.ts";
import { identifyEndpoint } from "./identifyEndpoint.ts";
import { describeKind } from "./requireKind.ts";

/** How long an endpoint is asked for its kind after it failed already, in milliseconds. */
const patienceMs = 3_000;

/**
 * Returns the rollup, whose failures say what the endpoint really is where a setting names another VM, or the endpoint is of
 * another kind.
 */
export function explaining(rollup: Rollup, settings: Settings, signal: AbortSignal): Rollup {
  const explain = async (error: unknown): Promise<never> => {
    throw (await mistake(error, settings, signal)) ?? error;
  };
  return {
    signerAddress: rollup.signerAddress,
    readChainId: () => rollup.readChainId().catch(explain),
    connect: (address) => rollup.connect(address).catch(explain),
    deploy: (wish) => rollup.deploy(wish),
  };
}

/** The mistake in the settings behind an answer that cannot be used; undefined where none is found. */
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
