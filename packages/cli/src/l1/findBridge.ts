import { InputError, type ContractIdentity } from "@vipscore/core";
import { bridgesOf, readVipBridges, type VipBridge } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { vipOptions, type L1Settings } from "../settings/l1Settings.ts";

/** The bridge to find: by its ID, or else the rollup's contract. */
export interface BridgeWanted {
  readonly bridgeId: bigint | undefined;
  readonly contract: ContractIdentity | undefined;
}

/**
 * Finds a registered rollup on L1.
 *
 * @throws InputError `CONFIG_INVALID` unless there is exactly one; NodeError.
 */
export async function findBridge({ io, output }: Context, l1: L1Settings, wanted: BridgeWanted): Promise<VipBridge> {
  const found = await readVipBridges(vipOptions(l1, io.signal));
  const { chainId, bridges } = found;
  const { bridgeId, contract } = wanted;
  if (bridgeId === undefined) return onlyBridgeOf(contract, found);
  const named = bridges.find((bridge) => bridge.bridgeId === bridgeId);
  if (named === undefined) {
    throw new InputError(`bridge ${bridgeId} is not registered with VIP on ${chainId}`, {
      code: "CONFIG_INVALID",
      metaMessages: [`Registered are ${list(bridges)}.`],
    });
  }
  if (contract !== undefined && bridgesOf([named], contract).length === 0) {
    output.warn(`VIP reads the scores of bridge ${bridgeId} from ${named.scoreContract}, which is another contract`);
  }
  return named;
}

function onlyBridgeOf(
  contract: ContractIdentity | undefined,
  { chainId, bridges }: { readonly chainId: string; readonly bridges: readonly VipBridge[] },
): VipBridge {
  const [bridge, ...others] = contract === undefined ? [] : bridgesOf(bridges, contract);
  if (bridge !== undefined && others.length === 0) return bridge;
  const address = contract?.address ?? "";
  if (bridge !== undefined) {
    throw new InputError(`several bridges of ${chainId} have a contract ${address}: ${list([bridge, ...others])}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Name the one of this rollup with --bridge-id."],
    });
  }
  throw new InputError(`no rollup with the contract ${address} is registered with VIP on ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Name its bridge with --bridge-id, or check the contract. Registered are ${list(bridges)}.`],
  });
}

/** Bridge IDs named in a message. */
const maxListed = 20;

function list(bridges: readonly VipBridge[]): string {
  const ids = bridges.map(({ bridgeId }) => bridgeId.toString());
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return ids.length === 0 ? "no bridges" : `${ids.slice(0, maxListed).join(", ")}${more}`;
}
