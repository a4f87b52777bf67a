import { formatChecksummed, type ScoreContract } from "@vipscore/core";
import type { DeployMoveEvent, MoveAccount } from "@vipscore/move";
import { optionalPackage, type PackageExports } from "../optionalPackage.ts";
import {
  isDevice,
  isSenderOnly,
  senderAccount,
  type Deployed,
  type DeployStep,
  type Rollup,
  type RollupParameters,
  type Signer,
} from "./rollup.ts";

/**
 * Opens a Move rollup.
 *
 * @throws InputError `KEY_INVALID` for an invalid key; `PACKAGE_MISSING`.
 */
export async function openMoveRollup(parameters: RollupParameters): Promise<Rollup> {
  const move = await optionalPackage("@vipscore/move");
  const { endpoint: restUrl, expectedChainId, gasPrices, signer, signal } = parameters;
  const account = signer && accountOf(move, signer);
  const chain = { restUrl, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => move.readMoveChainId(chain),
    connect: (address): Promise<ScoreContract> => move.connectMove({ ...chain, address, account, gasPrices }),
    deploy: async ({ onStep, ...request }): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      const onEvent = (event: DeployMoveEvent): void => onStep(toStep(event));
      const { upgradePolicy, ...deployed } = await move.deployMove({
        ...chain,
        account,
        gasPrices,
        ...request,
        onEvent,
      });
      const isHandedOver = deployed.pendingOwner !== undefined && upgradePolicy === "compatible";
      const warnings = isHandedOver ? [stillPublisher(deployed.address)] : [];
      return { ...deployed, more: { upgradePolicy }, warnings };
    },
  };
}

function accountOf(move: PackageExports<"@vipscore/move">, signer: Signer): MoveAccount {
  if (isSenderOnly(signer)) return senderAccount(signer);
  return isDevice(signer) ? move.moveAminoAccount(signer) : move.moveAccount(signer);
}

/** The first steps, after which the module exists. */
const publishing: ReadonlySet<DeployMoveEvent["step"]> = new Set(["publish", "upgrade", "seal"]);

function toStep({ step, status, address, account, stage, upgradePolicy, hash, gasUsed }: DeployMoveEvent): DeployStep {
  const whom = account === undefined ? "" : ` ${formatChecksummed(account)}`;
  const what = {
    publish: `module, upgrade policy ${upgradePolicy}`,
    upgrade: `replacement of the earlier module, upgrade policy ${upgradePolicy}`,
    seal: `upgrade policy ${upgradePolicy}`,
    completeUpgrade: "end of the upgrade",
    addMember: `member${whom}`,
    setInitStage: `first stage ${stage}`,
    setFinalizer: `finalizer${whom}`,
    offerOwnership: `offer of ownership to${whom}`,
  }[step];
  const exists = publishing.has(step) && status !== "sending";
  return { status, what, hash, gasUsed, created: exists ? address : undefined };
}

/** Warns of what the publisher's key can still do after an ownership transfer. */
function stillPublisher(publisher: string): string {
  return (
    `the publisher ${publisher} can still replace the module's code, no matter who owns the contract: ` +
    "to end that, run vipscore deploy --upgrade-policy immutable. The new owner ends the publisher's right to manage members with vipscore members manage off"
  );
}
