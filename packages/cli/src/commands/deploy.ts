import { formatChecksummed, InputError, type Account, type Stage } from "@vipscore/core";
import { deployEvm, readChainId, type DeployedEvm, type DeployEvent } from "@vipscore/evm";
import type { Command } from "commander";
import { parseAccountArgument, parseStage, withEndpointOptions, withKeyOption } from "../commandOptions.ts";
import { findSigner, tellEndpoint } from "../connect.ts";
import type { Context } from "../context.ts";
import { noKey } from "../key/readSigner.ts";
import { group } from "../output/numbers.ts";
import type { Output } from "../output/output.ts";
import { deploymentsFileName, recordDeployment } from "../settings/deploymentsFile.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";

interface DeployFlags extends ConnectionFlags {
  readonly initStage?: Stage;
  readonly member: readonly Account[];
  readonly owner?: Account;
}

/** Adds `deploy`. */
export function addDeploy(program: Command, context: Context): void {
  const collect = (text: string, members: readonly Account[]): readonly Account[] => [
    ...members,
    parseAccountArgument(text),
  ];
  withKeyOption(withEndpointOptions(program.command("deploy")))
    .description("deploy a scoring contract and remember it for the commands that follow")
    .option("--init-stage <n>", "the first stage that the contract has (env INIT_STAGE)", parseStage)
    .option("--member <address>", "one more account that may write scores; can be repeated", collect, [])
    .option(
      "--owner <address>",
      "offer the ownership to this account, which then has to accept it",
      parseAccountArgument,
    )
    .addHelpText("after", "\nExample:\n  $ vipscore deploy --init-stage 1")
    .action((flags: DeployFlags) => deploy(context, flags));
}

async function deploy(context: Context, flags: DeployFlags): Promise<void> {
  const { io, output } = context;
  const initStage = flags.initStage ?? readInitStage(io.env["INIT_STAGE"]);
  const settings = await readSettings(io, flags);
  const account = await findSigner(context, settings, flags, "required");
  if (account === undefined) throw noKey();
  tellEndpoint(context, settings);
  const { member: members, owner } = flags;
  const { rpcUrl, vm } = settings;
  const expected = { rpcUrl: rpcUrl.value, expectedChainId: settings.chainId?.value, signal: io.signal };
  const chainId = await readChainId(expected);
  let created: DeployEvent | undefined;
  const onEvent = (event: DeployEvent): void => {
    output.note(stepText(event));
    if (event.step === "deploy" && event.status === "done") created = event;
  };
  let deployed: DeployedEvm;
  try {
    const more = owner === undefined ? { members } : { members, owner };
    deployed = await deployEvm({ ...expected, expectedChainId: chainId, account, initStage, ...more, onEvent });
  } finally {
    // A contract that exists is recorded even when a later step fails, so that the person can go on with it.
    if (created !== undefined) {
      await recordDeployment(io.cwd, vm, chainId, { address: created.address, txHash: created.hash });
      const found = `commands in this folder find it on chain ${chainId}`;
      output.note(output.paintNote("dim", `recorded  in ${deploymentsFileName}: ${found}`));
    }
  }
  output.print(deployedText(output, deployed));
  output.json({ command: "deploy", contract: { vm, chainId, address: deployed.address }, ...deployedJson(deployed) });
}

function stepText({ step, status, account, hash, gasUsed }: DeployEvent): string {
  const whom = account === undefined ? "" : ` ${formatChecksummed(account)}`;
  const what = { deploy: "contract", addMember: `member${whom}`, offerOwnership: `offer of ownership to${whom}` }[step];
  return status === "sending"
    ? `sending   ${what}   (transaction ${hash})`
    : `done      ${what}   gas ${group(gasUsed ?? 0n)}`;
}

function deployedText(
  output: Output,
  { address, chainId, initStage, height, version, pendingOwner }: DeployedEvm,
): string {
  const text = `${output.paint("green", "deployed")}  ${address} on chain ${chainId}, version ${version}, first stage ${initStage}   (block ${group(height)})`;
  if (pendingOwner === undefined) return text;
  return `${text}\nownership is offered to ${formatChecksummed(pendingOwner)}: it becomes the owner when it calls acceptOwnership()`;
}

function deployedJson({
  version,
  initStage,
  members,
  owner,
  pendingOwner,
  hash,
  height,
  gasUsed,
}: DeployedEvm): object {
  const transaction = { hash, height, gasUsed };
  return { version, initStage, members, owner, pendingOwner: pendingOwner ?? null, transaction };
}

function readInitStage(text: string | undefined): Stage {
  if (text !== undefined && text.trim() !== "") return parseStage(text.trim());
  throw new InputError("the first stage is not given", {
    code: "CONFIG_INVALID",
    metaMessages: ["Name it with --init-stage or INIT_STAGE: the VIP stage that L1 runs now, or 1 on a local node."],
  });
}
