import { InputError, type ScoreContract } from "@vipscore/core";
import { redactUrl } from "@vipscore/core/wire";
import type { Context } from "../context.ts";
import { sameEndpoint } from "../endpoint/environmentEndpoint.ts";
import { rollups } from "../rollup/rollups.ts";
import type { Settings } from "../settings/readSettings.ts";

/**
 * Connects to a contract through the second endpoint of the settings too; returns undefined if none is set.
 *
 * @throws InputError `CONFIG_INVALID`; CheckError `CHAIN_MISMATCH`, `CONTRACT_NOT_FOUND`; NodeError.
 */
export async function connectSecond(
  { io, output }: Context,
  { vm, endpoint, secondEndpoint, gasPrices }: Settings,
  { identity }: ScoreContract,
): Promise<ScoreContract | undefined> {
  if (secondEndpoint === undefined) return undefined;
  const { value, source } = secondEndpoint;
  if (sameEndpoint(value, endpoint.value)) {
    throw new InputError(`${source} is the URL of ${endpoint.source}: name a node of another operator`, {
      code: "CONFIG_INVALID",
    });
  }
  const rollup = await rollups[vm].open({
    endpoint: value,
    expectedChainId: { value: identity.chainId, source: endpoint.source },
    gasPrices,
    signer: undefined,
    signal: io.signal,
  });
  output.note(output.paintNote("dim", `second    ${redactUrl(new URL(value))}  (${source})`));
  return rollup.connect(identity.address);
}
