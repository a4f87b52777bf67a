import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { formatChecksummed, InputError, type Account, type DeployEvent, type Stage, type Vm } from "@vipscore/core";
import { requireReplacer, requireRoles } from "@vipscore/core/engine";
import { group, vms } from "@vipscore/core/values";
import { initStageWarnings } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { findContract, openRollup } from "../../contract/connect.ts";
import { findL1Stage } from "../../l1/openL1.ts";
import {
  parseAccountArgument,
  parseStage,
  withEndpointOptions,
  withL1Options,
  withSignerOptions,
} from "../../options.ts";
import { describeVersion, shownAccount } from "../../output/contractText.ts";
import type { Output } from "../../output/output.ts";
import { printableText } from "../../output/printable.ts";
import { agreementLine } from "../../output/verification.ts";
import type { Deployed, DeployRequest } from "../../rollup/rollup.ts";
import { rollups, type DeployOption } from "../../rollup/rollups.ts";
import { deploymentsFileName, recordDeployment, requireRecordable } from "../../settings/projectFiles.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { showPlan, type PreparedDeploy } from "./showPlan.ts";
import {
  copyOpenStage,
  notTakenOver,
  readOpenStage,
  requireFinalizer,
  takenOverJson,
  type CopiedStage,
  type OpenStage,
} from "./takeOver.ts";

export function addDeploy(command: Command, context: Context): void {
  withL1Options(withSignerOptions(withEndpointOptions(command)))
    .option("--init-stage <n>", "the contract's first stage (env INIT_STAGE)", parseStage)
    .addOption(
      new Option("--member <address>", "another account that may write scores; repeatable")
        .argParser((text, earlier: readonly string[]) => [...earlier, text])
        .default([], "none"),
    )
    .option("--finalizer <address>", "the only account that may finalize stages (default: every member)")
    .option("--owner <address>", "offer ownership to this account, which must then accept it")
    .option(
      "--artifact <path>",
      "deploy your contract: JSON of Hardhat or Foundry, a .wasm file, or a built Move package or its .mv files",
    )
    .addOption(
      new Option("--upgrade-policy <policy>", "Move: what later upgrades may change").choices([
        "compatible",
        "immutable",
      ]),
    )
    .option("--upgrade", "Move and Wasm: replace the code of an existing scoring contract; its scores stay")
    .option("--contract <address>", "Wasm: the contract to upgrade (env CONTRACT_ADDRESS)")
    .option("--admin <address>", "Wasm: who may replace the code later, or `none` (default: the signer)")
    .option("--label <text>", "Wasm: the contract's name in explorers")
    .option("--from <address>", "EVM: take over the scores of the open stage of this contract; needs --finalizer")
    .option("--dry-run", "print what would be deployed, also without a key; send nothing")
    .addHelpText("after", "\nExample:\n  $ vipscore deploy --init-stage 1")
    .action((flags: DeployFlags) => deployContract(context, flags));
}

async function deployContract(context: Context, flags: DeployFlags): Promise<void> {
  const { output } = context;
  context.unsent(true);
  const prepared = await prepareDeploy(context, flags);
  if (flags.dryRun === true) return showPlan(context, prepared);
  const { settings, rollup, old } = prepared;
  const deployed = await deployAndRecord(context, prepared);
  output.print(deployedText(output, deployed, rollups[settings.vm].acceptCall));
  output.warnAll(deployed.warnings);
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
  await requireRecordable(io);
  const { artifact } = request;
  const errors = artifact === undefined ? undefined : await rollup.readErrors?.(artifact, rollup.signerAddress ?? "");
  let created: DeployEvent | undefined;
  try {
    return await rollup.deploy({
      ...request,
      findContract: async () => (await findContract(context, settings, rollup)).value,
      onEvent: (event) => {
        output.note(stepText(event, settings.vm));
        if (event.status === "sending") context.unsent(false);
        if (creating.has(event.step) && event.status !== "sending") created = event;
      },
    });
  } finally {
    if (created !== undefined) {
      const { address, hash: txHash } = created;
      const earlier = await recordDeployment(io, settings.vm, chainId, { address, txHash, errors });
      const isOther = (contract: string): boolean => contract.toLowerCase() !== address.toLowerCase();
      const named = settings.contract;
      const isHidden = named !== undefined && isOther(named.value);
      const found = isHidden ? "" : `: commands in this folder find it on chain ${chainId}`;
      output.note(output.paintNote("dim", `recorded  in ${deploymentsFileName}${found}`));
      if (isHidden) {
        const still = `${named.source} still names ${printableText(named.value)}`;
        output.warn(`${still}: change it, or commands in this folder go on using that contract`);
      } else if (earlier !== undefined && isOther(earlier)) {
        const keep = "use it with --contract or CONTRACT_ADDRESS, or name it in a file for --config";
        output.warn(`${earlier} on chain ${chainId} is no longer the contract of this folder: ${keep}`);
      }
    }
  }
}

const allDeployOptions: readonly DeployOption[] = [...new Set(vms.flatMap((vm) => rollups[vm].deployOptions))];

interface DeployFlags extends ConnectionFlags {
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
  readonly dryRun?: true;
}

async function prepareDeploy(context: Context, flags: DeployFlags): Promise<PreparedDeploy> {
  const { from } = flags;
  // A takeover determines the first stage, so INIT_STAGE does not apply.
  const env = context.io.env["INIT_STAGE"];
  const named = from === undefined ? (flags.initStage ?? readInitStage(env)) : flags.initStage;
  const settings = await readSettings(context, flags);
  const accounts = readAccounts(settings.vm, flags);
  const options = deployOptions(settings.vm, flags);
  if (from !== undefined) requireFinalizer(accounts.finalizer);
  if (flags.ledger !== undefined) requireSmallContract(settings.vm);
  const rollup = await openRollup(context, settings, flags, flags.dryRun === true ? "optional" : "required");
  requireReplacerOption(settings.vm, rollup.signerAddress, accounts.owner, flags);
  const artifact = flags.artifact && resolve(context.io.cwd, flags.artifact);
  if (artifact !== undefined) {
    const { features, warning } = await rollup.readArtifact(artifact);
    requireRoles(features, accounts);
    if (warning !== undefined) context.output.warn(warning);
  }
  const chainId = await rollup.readChainId();
  const old = from === undefined ? undefined : await readOpenStage(context, await rollup.connect(from));
  const initStage = firstStage(old, named);
  const l1 = await findL1Stage(context, settings);
  if (l1 !== undefined) context.output.warnAll(initStageWarnings(l1, initStage));
  return {
    settings,
    rollup,
    chainId,
    old,
    request: {
      initStage,
      ...accounts,
      artifact,
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

/** What the deployment itself requires, so that a dry run refuses it too. */
function requireReplacerOption(
  vm: Vm,
  signer: string | undefined,
  owner: Account | undefined,
  flags: DeployFlags,
): void {
  const { replacer } = rollups[vm];
  if (replacer === undefined) return;
  const deployer = signer === undefined ? undefined : parseAccountArgument(signer, vm);
  requireReplacer(deployer, owner, { ...replacer, value: flags[replacer.option] });
}

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

function firstStage(old: OpenStage | undefined, named: Stage | undefined): Stage {
  if (old !== undefined && (named === undefined || named === old.stage)) return old.stage;
  if (old === undefined && named !== undefined) return named;
  throw new InputError(`--init-stage ${named} is not the open stage of the old contract, which is ${old?.stage}`);
}

/** Returns the options that only some VMs support. */
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

/** The steps after which the contract exists. */
const creating: ReadonlySet<DeployEvent["step"]> = new Set([
  "deploy",
  "publish",
  "upgrade",
  "seal",
  "instantiate",
  "migrate",
]);

function stepText({ step, account, stage, upgradePolicy, codeId, ...event }: DeployEvent, vm: Vm): string {
  const whom = account === undefined ? "" : ` ${shownAccount(account, vm)}`;
  const what = {
    deploy: "contract",
    publish: `module, upgrade policy ${upgradePolicy}`,
    upgrade: `replacement of the earlier module, upgrade policy ${upgradePolicy}`,
    seal: `upgrade policy ${upgradePolicy}`,
    completeUpgrade: "end of the upgrade",
    store: codeId === undefined ? "code" : `code ${codeId}`,
    instantiate: "contract",
    migrate: `code ${codeId} in place of the earlier one`,
    addMember: `member${whom}`,
    setInitStage: `first stage ${stage}`,
    setFinalizer: `finalizer${whom}`,
    offerOwnership: `offer of ownership to${whom}`,
  }[step];
  const { status, hash, gasUsed } = event;
  if (status === "unchanged") return `unchanged ${what}`;
  return status === "sending"
    ? `sending   ${what}   (transaction ${hash})`
    : `done      ${what}   gas ${group(gasUsed ?? 0n)}`;
}

function deployedText(output: Output, deployed: Deployed, acceptCall: string): string {
  const { address, chainId, initStage, version, features, finalizer, pendingOwner, transaction } = deployed;
  const contract = `${address} on chain ${chainId}, version ${describeVersion(version, features)}, first stage ${initStage}`;
  const text =
    transaction === undefined
      ? `nothing to do: ${contract} already exists`
      : `${output.paint("green", "deployed")}  ${contract}   (block ${group(transaction.height)})`;
  const lines = [text];
  if (finalizer !== undefined) lines.push(`only ${formatChecksummed(finalizer)} can finalize stages`);
  if (pendingOwner !== undefined) {
    lines.push(
      `ownership is offered to ${formatChecksummed(pendingOwner)}, which accepts it with \`vipscore owner accept\` or by calling ${acceptCall}`,
    );
  }
  return lines.join("\n");
}

function deployJson(
  { settings, chainId, old, request }: PreparedDeploy,
  deployed: Deployed,
  copied: CopiedStage | undefined,
) {
  const { address, version, features, members, finalizer, owner, pendingOwner, transaction, more } = deployed;
  return {
    command: "deploy",
    contract: { vm: settings.vm, chainId, address },
    version: version ?? null,
    features,
    initStage: request.initStage,
    members,
    finalizer: finalizer ?? null,
    owner: owner ?? null,
    pendingOwner: pendingOwner ?? null,
    transaction: transaction ?? null,
    ...more,
    ...(old && copied && { from: takenOverJson(old, copied) }),
  };
}
