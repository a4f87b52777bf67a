import type { Context } from "../../context.ts";
import { findContract } from "../../contract/connect.ts";
import { agreementLine } from "../../output/verificationText.ts";
import type { Deployed, DeployStep } from "../../rollup/rollup.ts";
import { rollups } from "../../rollup/rollups.ts";
import { deploymentsFileName, recordDeployment } from "../../settings/deploymentsFile.ts";
import { prepareDeploy, type DeployFlags, type PreparedDeploy } from "./prepare.ts";
import { deployedText, deployJson, stepText } from "./report.ts";
import { copyOpenStage, notTakenOver } from "./takeOver.ts";

/** Deploys or upgrades a contract, and records it: `deploy`. */
export async function deployContract(context: Context, flags: DeployFlags): Promise<void> {
  const { output } = context;
  const prepared = await prepareDeploy(context, flags);
  const { settings, rollup, old } = prepared;
  const deployed = await deployAndRecord(context, prepared);
  output.print(deployedText(output, deployed, rollups[settings.vm].acceptCall));
  for (const warning of deployed.warnings) output.warn(warning);
  const onDevice = flags.ledger !== undefined;
  const copied = old && (await copyOpenStage(context, await rollup.connect(deployed.address), old, { onDevice }));
  if (old !== undefined && copied !== undefined) {
    output.print(agreementLine(output, copied.verification, `stage ${old.stage} of ${old.contract.identity.address}`));
    for (const line of notTakenOver(old, copied)) output.warn(line);
  }
  output.json(deployJson(prepared, deployed, copied));
}

/** Deploys the contract, and records it even if a later step fails, so that the user can continue with it. */
async function deployAndRecord(context: Context, prepared: PreparedDeploy): Promise<Deployed> {
  const { io, output } = context;
  const { settings, rollup, chainId, request } = prepared;
  let created: DeployStep | undefined;
  try {
    return await rollup.deploy({
      ...request,
      findContract: async () => (await findContract(context, settings, rollup)).value,
      onStep: (step) => {
        output.note(stepText(step));
        if (step.created !== undefined) created = step;
      },
    });
  } finally {
    if (created?.created !== undefined) {
      const { created: address, hash: txHash } = created;
      await recordDeployment(io, settings.vm, chainId, { address, ...(txHash === undefined ? {} : { txHash }) });
      const found = `commands in this folder find it on chain ${chainId}`;
      output.note(output.paintNote("dim", `recorded  in ${deploymentsFileName}: ${found}`));
    }
  }
}
