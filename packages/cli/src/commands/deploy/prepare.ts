import { resolve } from "node:path";
import { InputError, type Account, type Stage, type Vm } from "@vipscore/core";
import { vms } from "@vipscore/core/values";
import { initStageWarnings } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { openRollup } from "../../contract/connect.ts";
import { findL1Stage } from "../../l1/openL1.ts";
import { parseAccountArgument, parseStage } from "../../options/commandOptions.ts";
import type { DeployRequest, Rollup } from "../../rollup/rollup.ts";
import { rollups, type DeployOption } from "../../rollup/rollups.ts";
import { readSettings, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import { readOpenStage, type OpenStage } from "./takeOver.ts";

const allDeployOptions: readonly DeployOption[] = [...new Set(vms.flatMap((vm) => rollups[vm].deployOptions))];

/** The flags of `deploy`. */
export interface DeployFlags extends ConnectionFlags {
  readonly initStage?: Stage;
  readonly member: readonly string[];
  readonly finalizer?: string;
  readonly owner?: string;
  readonly artifact?: string;
  readonly upgradePolicy?: "compatible" | "immutable";
  readonly upgrade?: true;
  readonly admin?: string;
  readonly label?: string;
  readonly from?: string;
}

/** A deployment whose flags and settings were checked. */
export interface PreparedDeploy {
  readonly settings: Settings;
  readonly rollup: Rollup;
  readonly chainId: string;
  /** The open stage that the new contract takes over; undefined without `--from`. */
  readonly old: OpenStage | undefined;
  readonly request: Omit<DeployRequest, "findContract" | "onStep">;
}

/**
 * Checks the flags, connects to the rollup, and reads what a new contract takes over. Warns of a first stage that L1 is not at.
 *
 * @throws InputError `INPUT_INVALID`, `CONFIG_INVALID`, `KEY_INVALID`; CheckError; DeviceError; NodeError.
 */
export async function prepareDeploy(context: Context, flags: DeployFlags): Promise<PreparedDeploy> {
  const { from } = flags;
  // A takeover determines the first stage, so INIT_STAGE does not apply.
  const env = context.io.env["INIT_STAGE"];
  const named = from === undefined ? (flags.initStage ?? readInitStage(env)) : flags.initStage;
  const settings = await readSettings(context, flags);
  const accounts = readAccounts(settings.vm, flags);
  const options = deployOptions(settings.vm, flags);
  if (from !== undefined) requireFinalizer(accounts.finalizer);
  if (flags.ledger !== undefined) requireSmallContract(settings.vm);
  const rollup = await openRollup(context, settings, flags, "required");
  const chainId = await rollup.readChainId();
  const old = from === undefined ? undefined : await readOpenStage(context, await rollup.connect(from));
  const initStage = firstStage(old, named);
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) for (const warning of initStageWarnings(l1, initStage)) context.output.warn(warning);
  return {
    settings,
    rollup,
    chainId,
    old,
    request: {
      initStage,
      ...accounts,
      artifact: flags.artifact && resolve(context.io.cwd, flags.artifact),
      from,
      ...options,
    },
  };
}

function readAccounts(vm: Vm, flags: DeployFlags): Pick<DeployRequest, "members" | "finalizer" | "owner"> {
  const account = (text: string): Account => parseAccountArgument(text, vm);
  return {
    members: flags.member.map(account),
    finalizer: flags.finalizer === undefined ? undefined : account(flags.finalizer),
    owner: flags.owner === undefined ? undefined : account(flags.owner),
  };
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
    metaMessages: [
      "Set --init-stage or INIT_STAGE: the stage after the current one on L1 (vipscore stage), or 1 on a local node without L1.",
    ],
  });
}
