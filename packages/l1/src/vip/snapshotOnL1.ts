import { InputError, type ContractIdentity } from "@vipscore/core";
import { bridgesOf, readVipBridges, registrationAt, type VipBridge } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { printableText } from "../output/printableText.ts";
import { vipOptions, type L1Settings } from "../settings/l1Settings.ts";

/** The bridge to find, by its ID or else the rollup's contract, and the stage whose registration matters. */
export interface BridgeWanted {
  readonly bridgeId: bigint | undefined;
  readonly contract: ContractIdentity | undefined;
  readonly stage: bigint;
}

/**
 * Finds the registration to which a stage of a rollup belongs, or its newest one if L1 takes the stage for none. Warns if
 * the rollup is no longer registered, or the registration names another contract.
 *
 * @throws InputError `CONFIG_INVALID` unless there is exactly one such bridge; NodeError.
 */
export async function findBridge({ io, output }: Context, l1: L1Settings, wanted: BridgeWanted): Promise<VipBridge> {
  const { chainId, bridges, ended } = await readVipBridges(vipOptions(l1, io.signal));
  const { contract, stage } = wanted;
  // The registered version of a bridge is its newest one.
  const all = [...ended, ...bridges];
  const bridgeId = wanted.bridgeId ?? onlyBridgeOf(contract, { chainId, all });
  const ofBridge = all.filter((bridge) => bridge.bridgeId === bridgeId);
  const newest = ofBridge.at(-1);
  if (newest === undefined) {
    throw new InputError(`bridge ${bridgeId} is not registered with VIP on ${chainId}`, {
      code: "CONFIG_INVALID",
      metaMessages: [`Registered are ${list(bridges)}.`],
    });
  }
  if (newest.endStage !== undefined) {
    output.warn(`bridge ${bridgeId} is no longer registered with VIP: its last stage is ${newest.endStage}`);
  }
  const found = registrationAt(ofBridge, stage) ?? newest;
  if (contract !== undefined && bridgesOf([found], contract).length === 0) {
    output.warn(
      `VIP reads the scores of bridge ${bridgeId}, version ${found.version}, from ${printableText(found.scoreContract)}, which is another contract`,
    );
  }
  return found;
}

function onlyBridgeOf(
  contract: ContractIdentity | undefined,
  { chainId, all }: { readonly chainId: string; readonly all: readonly VipBridge[] },
): bigint {
  const named = contract === undefined ? [] : bridgesOf(all, contract);
  const [bridgeId, ...others] = new Set(named.map((bridge) => bridge.bridgeId));
  if (bridgeId !== undefined && others.length === 0) return bridgeId;
  const address = contract?.address ?? "";
  if (bridgeId !== undefined) {
    throw new InputError(`several bridges of ${chainId} have a contract ${address}: ${list(named)}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Name the one of this rollup with --bridge-id."],
    });
  }
  throw new InputError(`no rollup with the contract ${address} is registered with VIP on ${chainId}`, {
    code: "CONFIG_INVALID",
    metaMessages: [`Name its bridge with --bridge-id, or check the contract. Known are ${list(all)}.`],
  });
}

/** Bridge IDs named in a message. */
const maxListed = 20;

function list(bridges: readonly VipBridge[]): string {
  const ids = [...new Set(bridges.map(({ bridgeId }) => bridgeId.toString()))];
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : "";
  return ids.length === 0 ? "no bridges" : `${ids.slice(0, maxListed).join(", ")}${more}`;
}
