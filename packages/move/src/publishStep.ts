import { MsgPublish } from "@initia/initia.js";
import { CheckError, type Account } from "@vipscore/core";
import { encodeAddress } from "./bcs.ts";
import type { DeployStep } from "./deploySteps.ts";
import { placeModule } from "./moduleBinary.ts";
import { moduleName } from "./moduleStore.ts";
import type { PublishedModule, UpgradePolicy } from "./publishedModule.ts";
import { vipScoreModule } from "./vipScoreModule.generated.ts";

/**
 * Upper bounds of the gas of a publish: what each byte of the module costs, and the rest. Measured: 307,220 for 3,677
 * bytes on minimove, 475,655 for 6,436 bytes on vipnode.
 */
const publishBaseGas = 120_000n;
const publishByteGas = 75n;

/** What a publish shall lead to, and whether it may replace what is there. */
export interface PublishWish {
  /** The publisher's account, and its bech32 form. */
  readonly address: Account;
  readonly sender: string;
  readonly upgradePolicy: UpgradePolicy;
  /** Replace another scoring module that is there. */
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
 * The step that takes an address from the module that it has to this package's; undefined where it has it already.
 *
 * @throws CheckError `CONTRACT_NOT_FOUND` where another module has the name, `CONFIRMATION_MISSING` where another scoring
 * module is there and `upgrade` was not asked for, `PERMISSION_DENIED` where the one that is there is immutable.
 */
export function planPublish(wish: PublishWish, present: PublishedModule | undefined): DeployStep | undefined {
  const { address, upgradePolicy } = wish;
  const code = moduleFor(address);
  if (present === undefined) return publish(wish, "publish", code);
  if (present.code.equals(code)) {
    // A module that is immutable already cannot be made anything else.
    const isSealed = present.upgradePolicy === "immutable";
    return isSealed || upgradePolicy === "compatible" ? undefined : publish(wish, "seal", code);
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
      metaMessages: ["Nobody can replace it; use it as it is, or deploy with another account. Nothing was sent."],
    });
  }
  if (!wish.upgrade) {
    throw new CheckError(`${address} has another scoring module already`, {
      code: "CONFIRMATION_MISSING",
      metaMessages: ["Ask for an upgrade to replace it; its stages, scores and members stay. Nothing was sent."],
    });
  }
  return publish(wish, "upgrade", code);
}

function publish(
  { sender, upgradePolicy }: PublishWish,
  step: "publish" | "upgrade" | "seal",
  code: Buffer,
): DeployStep {
  const { COMPATIBLE, IMMUTABLE } = MsgPublish.Policy;
  const policy = upgradePolicy === "immutable" ? IMMUTABLE : COMPATIBLE;
  return {
    subject: { step, upgradePolicy },
    message: new MsgPublish(sender, [code.toString("base64")], policy),
    gas: publishBaseGas + publishByteGas * BigInt(code.length),
  };
}
