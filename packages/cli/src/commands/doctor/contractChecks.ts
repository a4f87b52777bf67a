import {
  formatChecksummed,
  isFailedCheck,
  mayFinalize,
  planPush,
  readStage,
  ScoreTable,
  type Account,
  type ContractControl,
  type ContractIdentity,
  type PinnedOptions,
  type PushPlan,
  type ScoreContract,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { count, formatTokens, group } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { firstUnsafe } from "../../contract/readTable.ts";
import { controlPairs, describeVersion, lackingFeatures } from "../../output/contractText.ts";
import { replacementText } from "../../output/reportError.ts";
import { rollups } from "../../rollup/rollups.ts";
import { type Settings } from "../../settings/readSettings.ts";
import { readVersions } from "../version.ts";
import { action, ok, skipped, warning, type Finding } from "./findings.ts";

/** Reports which contract it is, who may write to it, and who can still change it. */
export async function checkContract(
  contract: ScoreContract,
  at: PinnedOptions,
  initStage: Stage,
): Promise<readonly Finding[]> {
  const { vm, address } = contract.identity;
  const { version, features } = contract;
  if (!Object.values(features).some(Boolean)) {
    return [
      warning(
        `${address} has only the published interface: finalize cannot expect a total, and members cannot be listed`,
        replacementText(vm),
      ),
    ];
  }
  const [members = [], control] = await Promise.all([contract.getMembers(at), contract.getControl(at)]);
  const listed = `${count(members.length, "member")}: ${members.map(formatChecksummed).join(", ")}`;
  const text = `${address}, vipscore contract ${describeVersion(version, features)}, ${listed}`;
  const isComplete = lackingFeatures(features).length === 0;
  const own = isComplete ? ok(text) : warning(text, "docs/contracts.md shows what each of these is for.");
  const ofControl = (finding: Finding): Finding => ({ ...finding, check: "control" });
  const facts = { members: members.length };
  return [{ ...own, facts }, ...controlFindings(contract, members, control, initStage).map(ofControl)];
}

function controlFindings(
  { identity }: ScoreContract,
  members: readonly Account[],
  control: ContractControl | undefined,
  initStage: Stage,
): readonly Finding[] {
  const pairs = controlPairs(identity, control);
  const findings = [ok(pairs.map((pair) => pair.join(": ")).join("; "))];
  if (control === undefined) return findings;
  const { owner, pendingOwner, codeAdmin, finalizer } = control;
  // An offer to the owner withdraws the one before.
  if (pendingOwner !== undefined && pendingOwner !== owner) {
    findings.push(
      action(
        `the ownership is offered to ${formatChecksummed(pendingOwner)}, who has not accepted it`,
        "With that account: vipscore owner accept",
      ),
    );
  }
  if (codeAdmin !== undefined) {
    const isMember = members.some((member) => member === codeAdmin);
    const who =
      codeAdmin === "implementation"
        ? "an account that the proxy's implementation names"
        : formatChecksummed(codeAdmin);
    findings.push(
      warning(
        `${who} can replace the contract's code, and with it every rule${isMember ? "; it is a member too, so a thief of the key that pushes scores can change finalized stages" : ""}`,
        ...(isMember ? ["Push with another key: vipscore members add <address>, then vipscore members remove."] : []),
        sealText(identity, initStage),
      ),
    );
  }
  if (finalizer === undefined) {
    findings.push(
      warning(
        "every member can finalize a stage, which cannot be undone",
        "Name one account, preferably a multisig or a device: vipscore members finalizer <address>",
      ),
    );
  }
  return findings;
}

/** Says how nobody can replace the code any more. */
function sealText({ vm, address }: ContractIdentity, initStage: Stage): string {
  const { codeAdmin } = rollups[vm];
  if (codeAdmin === "publisher")
    return `The publisher ends that for good: vipscore deploy --init-stage ${initStage} --upgrade-policy immutable`;
  if (codeAdmin === "admin") return `The admin ends that for good: minitiad tx wasm clear-contract-admin ${address}`;
  return "How that ends depends on the proxy's implementation.";
}

/** Pushes that the balance should cover, so that one price rise does not stop a stage. */
const coveredPushes = 3n;

export async function checkSigner(contract: ScoreContract, at: PinnedOptions): Promise<Finding> {
  const { signer } = contract;
  if (signer === undefined) {
    return skipped(
      "no key is set",
      "Set PRIVATE_KEY or MNEMONIC, or name an encrypted file with --keystore, or a remote signer.",
    );
  }
  const [isMember, control] = await Promise.all([contract.isMember(signer, at), contract.getControl(at)]);
  const shown = formatChecksummed(signer);
  if (!isMember) {
    const role = mayFinalize(signer, isMember, control) ? "finalizes" : control?.owner === signer ? "is the owner" : "";
    if (role !== "") return ok(`${shown} ${role}; it may not write scores`);
    return action(
      `${shown} may not write scores`,
      `With the key of one of the managers above: vipscore members add ${shown}`,
    );
  }
  if (mayFinalize(signer, isMember, control)) return ok(`${shown} may write scores and finalize`);
  return ok(`${shown} may write scores; ${formatChecksummed(control?.finalizer ?? signer)} finalizes`);
}

/** Compares the signer's balance with the cost of writing the last finalized stage's accounts into the open stage. */
export async function checkBalance(
  contract: ScoreContract,
  stages: readonly StageInfo[],
  at: PinnedOptions,
): Promise<Finding> {
  const open = stages.find(({ isFinalized }) => !isFinalized);
  const last = stages.findLast(({ isFinalized }) => isFinalized);
  if (contract.signer === undefined) return skipped("no key is set");
  const fees = await contract.getFees({ signal: at.signal });
  const balance = formatTokens(fees.balance, fees.token, "down");
  if (open === undefined || last === undefined) {
    return skipped(`${balance}; no stage is finalized yet whose push it could be compared with`);
  }
  const { scores } = await readStage(contract, last.stage, { ...at, table: ScoreTable.from([]), info: last });
  const table = ScoreTable.from([...scores].map(([account, score]) => ({ account, score })));
  let plan: PushPlan;
  try {
    plan = await planPush(contract, open.stage, table, { prune: true, signal: at.signal });
  } catch (error) {
    if (!isFailedCheck(error)) throw error;
    return skipped(`${balance}; the cost of a push is unknown: ${error.shortMessage}`);
  }
  const { price } = plan;
  const cost = `writing the ${count(table.size, "account")} of stage ${last.stage} into stage ${open.stage} costs up to ${formatTokens(price, fees.token, "up")}`;
  if (fees.balance < price) return action(`${balance}; ${cost}`, `Fund ${formatChecksummed(contract.signer)}.`);
  if (fees.balance < price * coveredPushes) {
    return warning(`${balance}; ${cost}`, `Fund ${formatChecksummed(contract.signer)}: a price rise may stop a push.`);
  }
  return ok(`${balance}; ${cost}`);
}

/** Reports totals that clients of the VIP API cannot read exactly, or soon cannot. */
export function checkTotals(stages: readonly StageInfo[]): Finding {
  const largest = stages.reduce((most, { total }) => (total > most ? total : most), 0n);
  if (largest < firstUnsafe / 2n) return ok(`at most ${group(largest)} in the newest ${count(stages.length, "stage")}`);
  const named = stages.filter(({ total }) => total === largest).map(({ stage }) => `stage ${stage}`);
  const reach = largest < firstUnsafe ? "is near" : "reaches";
  return warning(
    `${group(largest)} in ${named.join(", ")} ${reach} 2^53: clients of the VIP API read scores as JavaScript numbers, which are exact below that`,
    "Divide the scores of the next stage by a constant: shares stay the same.",
  );
}

/** Compares the version of the node, at its CometBFT RPC endpoint, with the `minitiad` on PATH. */
export async function checkVersions(context: Context, { rpcUrl }: Settings): Promise<Finding> {
  const { node, minitiad, comparison } = await readVersions(context, rpcUrl);
  if (node === undefined) {
    return skipped(
      "the node's version is unknown",
      "To compare it: vipscore version --endpoint <the CometBFT RPC of the rollup>",
    );
  }
  const runs = `the node runs ${node.data} ${node.version ?? "without a version"}`;
  if (minitiad === undefined) return ok(`${runs}; no minitiad on PATH`);
  const text = `${runs}; the minitiad on PATH is ${minitiad.version ?? "without a version"}`;
  if (comparison !== "different") return ok(text);
  return warning(text, `Install minitiad ${node.version} before you sign with it.`);
}
