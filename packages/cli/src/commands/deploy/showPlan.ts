import type { Account } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { findContract } from "../../contract/connect.ts";
import { shownAccount } from "../../output/contractText.ts";
import { formatTable } from "../../output/table.ts";
import type { DeployRequest, Rollup } from "../../rollup/rollup.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readDeployment } from "../../settings/projectFiles.ts";
import type { Settings } from "../../settings/readSettings.ts";
import type { OpenStage } from "./takeOver.ts";

export interface PreparedDeploy {
  readonly settings: Settings;
  readonly rollup: Rollup;
  readonly chainId: string;
  readonly old: OpenStage | undefined;
  readonly request: Omit<DeployRequest, "findContract" | "onEvent">;
}

/** Prints what a deployment would do, and warns of a contract that was already deployed to the chain from this folder. */
export async function showPlan(context: Context, prepared: PreparedDeploy): Promise<void> {
  const { io, output } = context;
  const { settings, rollup, chainId, old, request } = prepared;
  const { vm } = settings;
  const upgraded =
    request.upgrade === true ? await rollup.connect((await findContract(context, settings, rollup)).value) : undefined;
  const { initStage, members, finalizer, owner, artifact } = request;
  const shown = (account: Account): string => shownAccount(account, vm);
  const deployer = rollup.signerAddress ?? "the account that deploys";
  const isNew = upgraded === undefined;
  // Those that are named replace the members of a reference contract.
  const kept = isNew ? deployer : members.length === 0 || upgraded.features.roles ? "as they are" : undefined;
  const rows = [
    ["contract", artifact ?? "the vipscore contract"],
    ["chain", `${chainId} (${rollups[vm].name})`],
    ...(isNew ? [] : [["replaces", `the code of ${upgraded.identity.address}; its scores stay`]]),
    ...(old === undefined
      ? []
      : [["takes over", `${count(old.table.size, "score")} of ${old.contract.identity.address}`]]),
    ["first stage", String(initStage)],
    ["members", [kept, ...members.map(shown)].filter((each) => each !== undefined).join(", ")],
    ["finalizer", finalizer !== undefined ? shown(finalizer) : isNew ? "every member" : "as it is"],
    ["owner", owner !== undefined ? `${deployer}, until ${shown(owner)} accepts` : isNew ? deployer : "as it is"],
  ];
  output.print(`${formatTable(rows).join("\n")}\n\nNothing was sent. Run without --dry-run to apply.`);
  const recorded = await readDeployment(io, vm, chainId);
  if (recorded !== undefined && isNew) {
    const replace = rollups[vm].deployOptions.includes("upgrade") ? "; to replace its code, add --upgrade" : "";
    output.warn(`${recorded.address} was already deployed to this chain from this folder${replace}`);
  }
  output.json({
    command: "deploy",
    dryRun: true,
    vm,
    chainId,
    deployer: rollup.signerAddress ?? null,
    initStage,
    members,
    finalizer: finalizer ?? null,
    owner: owner ?? null,
    recorded: recorded?.address ?? null,
    upgrade: upgraded?.identity.address ?? null,
    from: old?.contract.identity.address ?? null,
  });
}
