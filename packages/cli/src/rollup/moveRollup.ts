import { formatChecksummed, type ScoreContract } from "@vipscore/core";
import { connectMove, deployMove, moveAccount, readMoveChainId, type DeployMoveEvent } from "@vipscore/move";
import type { Deployed, DeployStep, Rollup, RollupParameters } from "./rollup.ts";

/**
 * A Move rollup.
 *
 * @throws InputError `KEY_INVALID` for an invalid key.
 */
export function openMoveRollup(parameters: RollupParameters): Rollup {
  const { endpoint: restUrl, expectedChainId, gasPrices, key, signal } = parameters;
  const account = key === undefined ? undefined : moveAccount(key);
  const chain = { restUrl, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => readMoveChainId(chain),
    connect: (address): Promise<ScoreContract> => connectMove({ ...chain, address, account, gasPrices }),
    deploy: async ({ onStep, ...wish }): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a key");
      const onEvent = (event: DeployMoveEvent): void => onStep(toStep(event));
      const { upgradePolicy, ...deployed } = await deployMove({ ...chain, account, gasPrices, ...wish, onEvent });
      const isHandedOver = deployed.pendingOwner !== undefined && upgradePolicy === "compatible";
      const warnings = isHandedOver ? [stillPublisher(deployed.address)] : [];
      return { ...deployed, more: { upgradePolicy }, warnings };
    },
  };
}

/** The module is there from the first step on, whichever of the three it is. */
const publishing: ReadonlySet<DeployMoveEvent["step"]> = new Set(["publish", "upgrade", "seal"]);

function toStep({ step, status, address, account, stage, upgradePolicy, hash, gasUsed }: DeployMoveEvent): DeployStep {
  const whom = account === undefined ? "" : ` ${formatChecksummed(account)}`;
  const what = {
    publish: `module, upgrade policy ${upgradePolicy}`,
    upgrade: `replacement of the earlier module, upgrade policy ${upgradePolicy}`,
    seal: `upgrade policy ${upgradePolicy}`,
    createSettings: "settings for revisions and a finalizer",
    addMember: `member${whom}`,
    setInitStage: `first stage ${stage}`,
    setFinalizer: `finalizer${whom}`,
    offerOwnership: `offer of ownership to${whom}`,
  }[step];
  const isThere = publishing.has(step) && status !== "sending";
  return { status, what, hash, gasUsed, created: isThere ? address : undefined };
}

/** What a hand-over of the ownership leaves with the publisher's key. */
function stillPublisher(publisher: string): string {
  return (
    `the publisher ${publisher} can still replace the module's code, whoever owns the contract: ` +
    "to end that, run vipscore deploy --upgrade-policy immutable. The new owner ends the publisher's right to manage members with vipscore members manage off"
  );
}
