import type { ContractIdentity, StageInfo } from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import { bridgesOf, registrationAt, type VipStage } from "@vipscore/l1";
import { printableText } from "../../output/printableText.ts";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";
import type { RegisteredVersion, Registration } from "./findRegistration.ts";

/** What the open stage is compared with. */
export interface OpenStageContext {
  readonly contract: ContractIdentity;
  readonly l1: VipStage | undefined;
  /** Undefined while the rollup's bridge is not known. */
  readonly registration: Registration | undefined;
}

/** Reports the stages that are open on the contract and over on L1: users wait for them, or L1 takes nothing of them. */
export function checkOpenStage(open: StageInfo | undefined, { contract, l1, registration }: OpenStageContext): Finding {
  if (open === undefined) return warning("open-stage", "the contract has no open stage");
  const { stage, total, count: accounts } = open;
  const held = `total ${group(total)}${accounts === undefined ? "" : `, ${count(accounts, "account")}`}`;
  if (l1 === undefined) return skipped("open-stage", `stage ${stage} is open, ${held}; L1 was not asked for its stage`);
  if (stage >= l1.stage) {
    const ahead = stage > l1.stage ? `L1 is still at stage ${l1.stage}` : "L1 is at the same stage";
    return ok("open-stage", `stage ${stage} is open, ${held}; ${ahead}`);
  }
  if (registration === undefined) {
    return warning(
      "open-stage",
      `${stagesText(stage, l1.stage - 1n)} over on L1 (stage ${l1.stage}) and not finalized, ${held}; whether users wait for it is not known without the rollup's bridge`,
    );
  }
  const version = registrationAt(registration.versions, stage);
  if (version === undefined || stage < version.next) return unneeded(open, l1, registration, version);
  const last = smaller(l1.stage - 1n, version.endStage);
  const over = `${stagesText(stage, last)} over on L1 (stage ${l1.stage}) and not finalized`;
  if (bridgesOf([version], contract).length === 0) {
    return warning(
      "open-stage",
      `${over}, ${held}; L1 reads it from another contract, ${printableText(version.scoreContract)}`,
    );
  }
  return action(
    "open-stage",
    `${over}: users wait for its rewards; it holds ${held}`,
    `vipscore push scores.csv --stage ${stage}`,
    `vipscore finalize --stage ${stage} --file scores.csv`,
  );
}

/** A stage whose scores L1 does not take: it has the snapshot already, or belongs to no registration of the bridge. */
function unneeded(
  { stage, total }: StageInfo,
  l1: VipStage,
  { bridgeId, versions }: Registration,
  version: RegisteredVersion | undefined,
): Finding {
  const nextNeeded = version?.next ?? versions.find(({ initStage }) => initStage > stage)?.initStage;
  const last = smaller(l1.stage - 1n, nextNeeded === undefined ? undefined : nextNeeded - 1n);
  const them = last > stage ? "them" : "it";
  const why =
    version === undefined
      ? `no registration of bridge ${bridgeId} includes ${them}`
      : `bridge ${bridgeId} has a snapshot of ${them} already`;
  const text = `${stagesText(stage, last)} over on L1 (stage ${l1.stage}) and not finalized; L1 takes no scores of ${them}: ${why}`;
  const file = total === 0n ? "empty.csv" : "scores.csv";
  return warning(
    "open-stage",
    text,
    ...(total === 0n ? ["Write a file that has no scores: echo address,score > empty.csv"] : []),
    `To get to the next stage: vipscore finalize --stage ${stage} --file ${file}`,
  );
}

function stagesText(first: bigint, last: bigint): string {
  return first === last ? `stage ${first} is` : `the stages ${first} to ${last} are`;
}

function smaller(one: bigint, other: bigint | undefined): bigint {
  return other !== undefined && other < one ? other : one;
}
