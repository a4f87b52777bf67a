import { formatBech32, type Account, type ContractIdentity, type Stage, type StageInfo } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import {
  bridgesOf,
  checkRollupBridge,
  initStageWarnings,
  openProposal,
  readSnapshotStages,
  readVipBridges,
  readVipOperator,
  registrationAt,
  registrationsOf,
  type SnapshotStages,
  type VipBridge,
  type VipOptions,
  type VipProposal,
  type VipStage,
} from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readRollupBridge } from "../../l1/openL1.ts";
import { printableText } from "../../output/printable.ts";
import type { Settings } from "../../settings/readSettings.ts";
import { action, ok, skipped, warning, type Finding } from "./findings.ts";

export interface RegisteredVersion extends VipBridge, SnapshotStages {
  /** Who claims the operator's rewards; the registration may still name another account. */
  readonly operator: Account;
}

export interface Registration {
  readonly bridgeId: bigint;
  /** Oldest first; only the last one can still be registered. */
  readonly versions: readonly RegisteredVersion[];
}

/**
 * Returns the ID of the rollup's bridge: the named one, which must be the rollup's own if that can be asked, or the rollup's
 * own. A contract's address would not do: two rollups can have a contract at the same one. Returns a finding if it is not known.
 */
export async function findRollupBridge(
  context: Context,
  settings: Settings,
  { chainId: l1ChainId }: VipStage,
  bridgeId: bigint | undefined,
): Promise<bigint | Finding> {
  const own = await readRollupBridge(context, settings);
  const found = bridgeId ?? own?.bridgeId;
  if (found !== undefined) {
    if (own !== undefined) checkRollupBridge({ bridgeId: found, l1ChainId }, own);
    return found;
  }
  if (settings.bridgeUrl === undefined) {
    return skipped(
      "the rollup's bridge is not known, so what L1 expects of the rollup was not checked",
      "Name the rollup's REST endpoint with --rollup-rest-url or ROLLUP_REST_URL, or its bridge with --bridge-id.",
    );
  }
  return warning(
    "the rollup does not know its bridge on L1 yet, so what L1 expects of the rollup was not checked",
    "Its executor sets the bridge once; or name it with --bridge-id.",
  );
}

/** Reads the registrations of a bridge, and which snapshots L1 has of them. */
export async function readRegistration(l1: VipOptions, bridgeId: bigint): Promise<Registration> {
  const ofBridge = registrationsOf(await readVipBridges(l1), bridgeId);
  const withSnapshots = async (bridge: VipBridge): Promise<RegisteredVersion> => ({
    ...bridge,
    ...(await readSnapshotStages({ ...l1, ...bridge })),
    operator: (await readVipOperator({ ...l1, ...bridge })).operator,
  });
  return { bridgeId, versions: await Promise.all(ofBridge.map(withSnapshots)) };
}

/** Returns the registered version; undefined if the bridge is not registered, or not known. */
export function registeredVersion(registration: Registration | undefined): RegisteredVersion | undefined {
  const newest = registration?.versions.at(-1);
  return newest?.endStage === undefined ? newest : undefined;
}

/** Reports whether L1 takes the rollup's scores, and from this contract. Proposes nothing that L1 votes on already. */
export function checkRegistration(
  { bridgeId, versions }: Registration,
  contract: ContractIdentity,
  proposals: readonly VipProposal[],
): Finding {
  const newest = versions.at(-1);
  const voteOn = (functionName: string): string | undefined => {
    const open = openProposal(proposals, functionName);
    return open && `Wait for the vote on proposal ${open.id}.`;
  };
  const register = voteOn("register") ?? "Propose the registration to L1's governance: vipscore proposal register";
  if (newest === undefined) {
    return warning(`bridge ${bridgeId} is not registered on L1: its users are not rewarded`, register);
  }
  const { version, endStage, scoreContract, operator } = newest;
  const registered = `bridge ${bridgeId}, version ${version}`;
  if (endStage !== undefined) {
    return warning(
      `${registered} is no longer registered: its last stage is ${endStage}; users still claim the stages until then, and what would vest with later ones is never paid`,
      register,
    );
  }
  if (bridgesOf([newest], contract).length > 0) {
    return ok(`${registered}, with this contract; operator ${formatBech32(operator)}`);
  }
  const other = `${registered}, with another contract: L1 reads the scores from ${printableText(scoreContract)}`;
  const vote = voteOn("update_l2_score_contract");
  if (vote !== undefined) return warning(other, vote);
  return action(other, "To name this one: vipscore proposal contract");
}

/**
 * Compares the contract's first stage with the next one of which L1 needs a snapshot, or that it will need if the rollup is
 * registered now.
 */
export function checkFirstStage(
  initStage: Stage,
  l1: VipStage | undefined,
  registration: Registration | undefined,
): readonly Finding[] {
  if (l1 === undefined) return [skipped(`${initStage}; L1 was not asked which one it expects`)];
  const registered = registeredVersion(registration);
  if (registered !== undefined) return [ofRegistered(initStage, registered)];
  const warnings = initStageWarnings(l1, initStage);
  if (initStage > l1.stage + 1n) return [action(warnings.join(" "))];
  const ended = registration?.versions.at(-1)?.endStage;
  if (warnings.length > 0 && ended === undefined) {
    if (registration !== undefined) return warnings.map((text) => warning(text));
    // Finalizing the counted stages without scores would lose those that L1 still pays.
    return [skipped(`${initStage}; which stage L1 expects is not known: registration says why`)];
  }
  const earlier = ended === undefined ? "" : `; L1 still takes stage ${ended} and earlier for the one that has ended`;
  return [ok(`${initStage}; registration would set ${l1.stage + 1n} now, the stage after L1's${earlier}`)];
}

function ofRegistered(initStage: Stage, { newest }: RegisteredVersion): Finding {
  // What a challenge removed may be of an earlier contract.
  const next = newest + 1n;
  if (initStage <= next) return ok(`${initStage}; L1 needs the snapshot of stage ${next} next`);
  return action(
    `${initStage}, but L1 needs the snapshot of stage ${next} next: it waits for stages that this contract can never provide`,
    `Deploy a contract that starts at stage ${next}: vipscore deploy --init-stage ${next}`,
    "Then have L1 point to it: vipscore proposal contract",
  );
}

/** Reports the stages that are open on the contract and over on L1: users wait for them, or L1 takes nothing of them. */
export function checkOpenStage(
  open: StageInfo | undefined,
  contract: ContractIdentity,
  l1: VipStage | undefined,
  registration: Registration | undefined,
): Finding {
  if (open === undefined) return warning("the contract has no open stage");
  const { stage, total, count: accounts } = open;
  const held = `total ${group(total)}${accounts === undefined ? "" : `, ${count(accounts, "account")}`}`;
  if (l1 === undefined) return skipped(`stage ${stage} is open, ${held}; L1 was not asked for its stage`);
  if (stage >= l1.stage) {
    const later = registration?.versions.find(({ initStage }) => initStage > stage);
    if (
      registration !== undefined &&
      later !== undefined &&
      registrationAt(registration.versions, stage) === undefined
    ) {
      return warning(
        `stage ${stage} is open, ${held}; L1 takes no scores of it, its first stage is ${later.initStage}`,
      );
    }
    const ahead = stage > l1.stage ? `L1 is still at stage ${l1.stage}` : "L1 is at the same stage";
    return ok(`stage ${stage} is open, ${held}; ${ahead}`);
  }
  if (registration === undefined) {
    return warning(
      `${stagesText(stage, l1.stage - 1n)} over on L1 (stage ${l1.stage}) and not finalized, ${held}; whether users wait for it is not known: registration says why`,
    );
  }
  const version = registrationAt(registration.versions, stage);
  if (version === undefined || (stage <= version.newest && !version.removed.includes(stage)))
    return unneeded(open, contract, l1, registration);
  const last = smaller(l1.stage - 1n, version.endStage);
  const over = `${stagesText(stage, last)} over on L1 (stage ${l1.stage}) and not finalized`;
  if (bridgesOf([version], contract).length === 0) {
    return warning(`${over}, ${held}; L1 reads it from another contract, ${printableText(version.scoreContract)}`);
  }
  return action(
    `${over}: users wait for its rewards; it holds ${held}`,
    `vipscore push scores.csv --stage ${stage}`,
    `vipscore finalize --stage ${stage} --file scores.csv`,
  );
}

/** A stage whose scores L1 does not take: it has the snapshot already, or belongs to no registration of the bridge. */
function unneeded(
  { stage, total }: StageInfo,
  contract: ContractIdentity,
  l1: VipStage,
  { bridgeId, versions }: Registration,
): Finding {
  const version = registrationAt(versions, stage);
  const needing = version ?? versions.find(({ initStage }) => initStage > stage);
  const nextNeeded = version ? version.newest + 1n : needing?.initStage;
  const last = smaller(l1.stage - 1n, nextNeeded === undefined ? undefined : nextNeeded - 1n);
  const them = last > stage ? "them" : "it";
  const why =
    version === undefined
      ? `no registration of bridge ${bridgeId} includes ${them}`
      : `bridge ${bridgeId} has a snapshot of ${them} already`;
  const text = `${stagesText(stage, last)} over on L1 (stage ${l1.stage}) and not finalized; L1 takes no scores of ${them}: ${why}`;
  const file = total === 0n ? "empty.csv" : "scores.csv";
  const blocks =
    nextNeeded !== undefined && nextNeeded <= l1.stage && needing && bridgesOf([needing], contract).length > 0;
  const report = blocks ? action : warning;
  return report(
    blocks ? `${text}; until it is finalized, stage ${nextNeeded}, which L1 takes, cannot be scored` : text,
    ...(total === 0n ? ["Write a file that has no scores: echo address,score > empty.csv"] : []),
    `To get to the next stage: vipscore finalize --stage ${stage} --file ${file}`,
  );
}

/** `stage 3 is`, `the stages 3 to 5 are`. */
export function stagesText(first: bigint, last: bigint): string {
  return first === last ? `stage ${first} is` : `the stages ${first} to ${last} are`;
}

export function smaller(one: bigint, other: bigint | undefined): bigint {
  return other !== undefined && other < one ? other : one;
}
