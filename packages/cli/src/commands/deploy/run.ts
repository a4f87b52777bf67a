import { InputError, type Account, type Stage, type Vm } from "@vipscore/core";
import { initStageWarnings } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { findContract, openRollup } from "../../contract/connect.ts";
import { findL1Stage } from "../../l1/l1Stage.ts";
import { parseAccountArgument, parseStage } from "../../options/commandOptions.ts";
import { agreementLine } from "../../output/agreementLine.ts";
import { verificationJson } from "../../output/verificationJson.ts";
import type { Deployed, DeployRequest, DeployStep } from "../../rollup/rollup.ts";
import { rollups, vms, type DeployOption } from "../../rollup/rollups.ts";
import { deploymentsFileName, recordDeployment } from "../../settings/deploymentsFile.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { deployedText, stepText } from "./report.ts";
import { copyOpenStage, notTakenOver, readOpenStage, type CopiedStage, type OpenStage } from "./takeOver.ts";

const allDeployOptions: readonly DeployOption[] = [...new Set(vms.flatMap((vm) => rollups[vm].deployOptions))];

/** The flags of `deploy`. */
export interface DeployFlags extends ConnectionFlags {
  readonly initStage?: Stage;
  readonly member: readonly string[];
  readonly finalizer?: string;
  readonly owner?: string;
  readonly upgradePolicy?: "compatible" | "immutable";
  readonly upgrade?: true;
  readonly admin?: string;
  readonly label?: string;
  readonly from?: string;
}

/** Deploys or upgrades a contract, and records it: `deploy`. */
export async function deployContract(context: Context, flags: DeployFlags): Promise<void> {
  const { io, output } = context;
  // A takeover determines the first stage, so INIT_STAGE does not apply.
  const named = flags.from === undefined ? (flags.initStage ?? readInitStage(io.env["INIT_STAGE"])) : flags.initStage;
  const settings = await readSettings(context, flags);
  const { vm } = settings;
  const account = (text: string): Account => parseAccountArgument(text, vm);
  const members = flags.member.map(account);
  const finalizer = flags.finalizer === undefined ? undefined : account(flags.finalizer);
  const owner = flags.owner === undefined ? undefined : account(flags.owner);
  const options = deployOptions(vm, flags);
  if (flags.from !== undefined) requireFinalizer(finalizer);
  if (flags.ledger !== undefined) requireSmallContract(vm);
  const rollup = await openRollup(context, settings, flags, "required");
  const chainId = await rollup.readChainId();
  const old = flags.from === undefined ? undefined : await readOpenStage(context, await rollup.connect(flags.from));
  const initStage = firstStage(old, named);
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) for (const warning of initStageWarnings(l1, initStage)) output.warn(warning);
  let created: DeployStep | undefined;
  const onStep: DeployRequest["onStep"] = (step) => {
    output.note(stepText(step));
    if (step.created !== undefined) created = step;
  };
  let deployed: Deployed;
  try {
    deployed = await rollup.deploy({
      initStage,
      members,
      finalizer,
      owner,
      from: flags.from,
      ...options,
      findContract: async () => (await findContract(context, settings, rollup)).value,
      onStep,
    });
  } finally {
    // Record the contract even if a later step fails, so that the user can continue with it.
    if (created?.created !== undefined) {
      const { created: address, hash: txHash } = created;
      await recordDeployment(io, vm, chainId, { address, ...(txHash === undefined ? {} : { txHash }) });
      const found = `commands in this folder find it on chain ${chainId}`;
      output.note(output.paintNote("dim", `recorded  in ${deploymentsFileName}: ${found}`));
    }
  }
  output.print(deployedText(output, deployed, rollups[vm].acceptCall));
  for (const warning of deployed.warnings) output.warn(warning);
  const onDevice = flags.ledger !== undefined;
  const copied = old && (await copyOpenStage(context, await rollup.connect(deployed.address), old, { onDevice }));
  if (old !== undefined && copied !== undefined) {
    output.print(agreementLine(output, copied.verification, `stage ${old.stage} of ${old.contract.identity.address}`));
    for (const line of notTakenOver(old, copied)) output.warn(line);
  }
  const { address, version, members: listed, pendingOwner, transaction, more } = deployed;
  output.json({
    command: "deploy",
    contract: { vm, chainId, address },
    version,
    initStage,
    members: listed,
    finalizer: deployed.finalizer ?? null,
    owner: deployed.owner,
    pendingOwner: pendingOwner ?? null,
    transaction: transaction ?? null,
    ...more,
    ...(old && copied && { from: takenOverJson(old, copied) }),
  });
}

/**
 * A contract that replaces another one may do so because a key was stolen, so that its members do not finalize.
 *
 * @throws InputError `INPUT_INVALID` if no finalizer is named.
 */
function requireFinalizer(finalizer: Account | undefined): void {
  if (finalizer !== undefined) return;
  throw new InputError("--from needs --finalizer: name the only account that may finalize the new contract's stages", {
    metaMessages: [
      "Members are not taken over: name each one that you trust with --member <address>.",
      "If the old contract's owner key was stolen, its scores may be the thief's: deploy without --from and push your file.",
    ],
  });
}

/** @throws InputError `INPUT_INVALID` if the contract does not fit into a document that a hardware wallet signs. */
function requireSmallContract(vm: Vm): void {
  const { canDeviceDeploy, name } = rollups[vm];
  if (canDeviceDeploy) return;
  throw new InputError(`a hardware wallet cannot sign the code of a ${name} contract: it is too large`, {
    metaMessages: [
      "Deploy with a key and offer ownership to the device: vipscore deploy --owner <address of the device>",
      "Then accept it on the device: vipscore owner accept --ledger",
    ],
  });
}

/** @throws InputError `INPUT_INVALID` if `--init-stage` is not the stage that is taken over. */
function firstStage(old: OpenStage | undefined, named: Stage | undefined): Stage {
  if (old !== undefined && (named === undefined || named === old.stage)) return old.stage;
  if (old === undefined && named !== undefined) return named;
  throw new InputError(`--init-stage ${named} is not the open stage of the old contract, which is ${old?.stage}`);
}

function takenOverJson({ contract, height }: OpenStage, copied: CopiedStage): object {
  const { transactions, verification, isOutdated } = copied;
  return {
    contract: contract.identity,
    height,
    transactions,
    verification: verificationJson(verification),
    isOutdated,
  };
}

/**
 * Returns the options that only some VMs support.
 *
 * @throws InputError `INPUT_INVALID` for an option that this VM does not support.
 */
function deployOptions(vm: Vm, flags: DeployFlags): Pick<DeployRequest, Exclude<DeployOption, "contract" | "from">> {
  const { upgradePolicy, upgrade, contract, admin, label } = flags;
  const { name, deployOptions: known } = rollups[vm];
  for (const option of allDeployOptions) {
    if (flags[option] === undefined || known.includes(option)) continue;
    const flag = option.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    const supporting = vms
      .filter((each) => rollups[each].deployOptions.includes(option))
      .map((each) => rollups[each].name);
    throw new InputError(`--${flag} is for ${supporting.join(" and ")}, and this rollup's VM is ${name}`);
  }
  if (contract !== undefined && upgrade === undefined) {
    throw new InputError(
      "--contract names the contract to upgrade: add --upgrade, or drop --contract to deploy a new one",
    );
  }
  return {
    ...(upgradePolicy && { upgradePolicy }),
    ...(upgrade && { upgrade }),
    ...(admin !== undefined && { admin: admin === "none" ? ("none" as const) : parseAccountArgument(admin, vm) }),
    ...(label !== undefined && { label }),
  };
}

function readInitStage(text: string | undefined): Stage {
  if (text !== undefined && text.trim() !== "") return parseStage(text.trim());
  throw new InputError("the first stage is missing", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set --init-stage or INIT_STAGE: the current VIP stage on L1, or 1 on a local node."],
  });
}
