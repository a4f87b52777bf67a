import type { Account } from "@vipscore/core";
import type { Context } from "../../context.ts";
import { shownAccount } from "../../output/contractText.ts";
import { formatTable } from "../../output/table.ts";
import type { DeployRequest, Rollup } from "../../rollup/rollup.ts";
import { rollups } from "../../rollup/rollups.ts";
import { readDeployment } from "../../settings/projectFiles.ts";
import type { Settings } from "../../settings/readSettings.ts";
import type { OpenStage } from "./takeOver.ts";

/** A deployment whose settings are read and checked. */
export interface PreparedDeploy {
  readonly settings: Settings;
  readonly rollup: Rollup;
  readonly chainId: string;
  readonly old: OpenStage | undefined;
  readonly request: Omit<DeployRequest, "findContract" | "onEvent">;
}

/** Prints what a deployment would do, and warns of a contract that was already deployed to the chain from this folder. */
export async function showPlan({ io, output }: Context, prepared: PreparedDeploy): Promise<void> {
  const { settings, rollup, chainId, request } = prepared;
  const { vm } = settings;
  const { initStage, members, finalizer, owner, artifact } = request;
  const shown = (account: Account): string => shownAccount(account, vm);
  const list = (accounts: readonly Account[]): string => accounts.map(shown).join(", ");
  const deployer = rollup.signerAddress ?? "the account that deploys";
  const rows = [
    ["contract", artifact ?? "the vipscore contract"],
    ["chain", `${chainId} (${rollups[vm].name})`],
    ["first stage", String(initStage)],
    ["members", [deployer, ...(members.length === 0 ? [] : [list(members)])].join(", ")],
    ["finalizer", finalizer === undefined ? "every member" : shown(finalizer)],
    ["owner", owner === undefined ? deployer : `${deployer}, until ${shown(owner)} accepts`],
  ] as const;
  output.print(`${formatTable(rows).join("\n")}\n\nNothing was sent. Run without --dry-run to apply.`);
  const recorded = await readDeployment(io, vm, chainId);
  if (recorded !== undefined) output.warn(`${recorded.address} was already deployed to this chain from this folder`);
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
  });
}
