import { CheckError, type Account } from "@vipscore/core";
import { encodeAddress } from "./bcs.ts";
import type { DeployStep } from "./deploySteps.ts";
import { placeModule } from "./moduleBinary.ts";
import { moduleName } from "./moduleStore.ts";
import { msgPublish } from "./moveMessages.ts";
import type { PublishedModule, UpgradePolicy } from "./publishedModule.ts";
import { vipScoreModule } from "./vipScoreModule.generated.ts";

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
  readonly upgradePolicy: UpgradePolicy;
  /** Replace another scoring module at the address. */
  readonly upgrade: boolean;
}

/** This package's module for a publisher. */
export function moduleFor(address: Account): Buffer {
  const { code, placeholder, occurrences } = vipScoreModule;
  return placeModule(Buffer.from(code, "base64"), {
    placeholder: Buffer.from(placeholder.slice(2), "hex"),
    address: encodeAddress(address),
    occurrences,
  });
}

/**
 * Plans the step that brings an address from its current module to this package's; undefined if it already has it.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` if another module has the name, `CONFIRMATION_MISSING` if another scoring module
 * exists and `upgrade` is not set, `PERMISSION_DENIED` if the existing one is immutable.
 */
export function planPublish(desired: DesiredModule, present: PublishedModule | undefined): DeployStep | undefined {
  const { address, upgradePolicy } = desired;
  const code = moduleFor(address);
  if (present === undefined) return publish(desired, "publish", code);
  if (present.code.equals(code)) {
    // An immutable module cannot be changed.
    const isSealed = present.upgradePolicy === "immutable";
    return isSealed || upgradePolicy === "compatible" ? undefined : publish(desired, "seal", code);
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
  return publish(desired, "upgrade", code);
}

function publish(
  { sender, upgradePolicy }: DesiredModule,
  step: "publish" | "upgrade" | "seal",
  code: Buffer,
): DeployStep {
  return {
    subject: { step, upgradePolicy },
    message: msgPublish(sender, code, upgradePolicy),
    gas: publishBaseGas + publishByteGas * BigInt(code.length),
  };
}
