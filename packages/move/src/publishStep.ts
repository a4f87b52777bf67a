import { CheckError, type Account } from "@vipscore/core";
import type { DeployStep } from "./deploySteps.ts";
import { moduleName } from "./moduleStore.ts";
import type { MoveArtifact } from "./moveArtifact.ts";
import { msgPublish } from "./moveMessages.ts";
import type { PublishedModule, UpgradePolicy } from "./publishedModule.ts";

/**
 * Upper bounds of the gas to publish: a base and an amount per byte of the module. Measured: 307,220 for 3,677 bytes on
 * minimove, 475,655 for 6,436 bytes on vipnode.
 */
const publishBaseGas = 120_000n;
const publishByteGas = 75n;

/** The state that publishing must reach, and whether it may replace an existing module. */
export interface DesiredModule {
  /** The publisher's account, and its bech32 form. */
  readonly address: Account;
  readonly sender: string;
  readonly artifact: MoveArtifact;
  readonly upgradePolicy: UpgradePolicy;
  /** Replace another scoring module at the address. */
  readonly upgrade: boolean;
}

/**
 * Plans the step that brings an address from its current modules to the artifact's; undefined if it already has them.
 *
 * @param present - The scoring module that the address has.
 * @param others - The code of the artifact's other modules at the address, in the artifact's order.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if another module has the name, `CONFIRMATION_MISSING` if another scoring module
 * exists and `upgrade` is not set, `PERMISSION_DENIED` if the existing one is immutable.
 */
export function planPublish(
  desired: DesiredModule,
  present: PublishedModule | undefined,
  others: readonly (Buffer | undefined)[],
): DeployStep | undefined {
  const { address, artifact, upgradePolicy } = desired;
  if (present === undefined) return publish(desired, "publish");
  const isSame = artifact.others.every(({ code }, index) => others[index]?.equals(code) === true);
  if (isSame && present.code.equals(artifact.code)) {
    // An immutable module cannot be changed.
    const isSealed = present.upgradePolicy === "immutable";
    return isSealed || upgradePolicy === "compatible" ? undefined : publish(desired, "seal");
  }
  if (!present.isScoring) {
    throw new CheckError(`${address} has a module ${moduleName} that is not a scoring module`, {
      code: "CONTRACT_NOT_FOUND",
      metaMessages: ["Deploy with another account: the module's address is its publisher's. Nothing was sent."],
    });
  }
  if (present.upgradePolicy === "immutable") {
    throw new CheckError(`${address} has another scoring module, and it is immutable`, {
      code: "PERMISSION_DENIED",
      metaMessages: ["Nobody can replace it. Use it as it is, or deploy with another account. Nothing was sent."],
    });
  }
  if (!desired.upgrade) {
    throw new CheckError(`${address} already has another scoring module`, {
      code: "CONFIRMATION_MISSING",
      metaMessages: ["Ask for an upgrade to replace it; its stages, scores and members stay. Nothing was sent."],
    });
  }
  return publish(desired, "upgrade");
}

function publish({ sender, artifact, upgradePolicy }: DesiredModule, step: "publish" | "upgrade" | "seal"): DeployStep {
  const codes = [...artifact.others.map(({ code }) => code), artifact.code];
  const bytes = codes.reduce((sum, code) => sum + code.length, 0);
  return {
    subject: { step, upgradePolicy },
    message: msgPublish(sender, codes, upgradePolicy),
    gas: publishBaseGas + publishByteGas * BigInt(bytes),
  };
}
