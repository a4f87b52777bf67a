import type { ContractIdentity } from "@vipscore/core";
import { bridgesOf } from "@vipscore/l1";
import { printableText } from "../../output/printableText.ts";
import { ok, warning, type Finding } from "./finding.ts";
import type { Registration } from "./findRegistration.ts";

/** Reports whether L1 takes the rollup's scores, and from this contract. */
export function checkRegistration({ bridgeId, versions }: Registration, contract: ContractIdentity): Finding {
  const newest = versions.at(-1);
  const register = "Propose the registration to L1's governance: vipscore proposal register";
  if (newest === undefined) {
    return warning("registration", `bridge ${bridgeId} is not registered on L1: its users are not rewarded`, register);
  }
  const { version, endStage, scoreContract, operatorAddress } = newest;
  const registered = `bridge ${bridgeId}, version ${version}`;
  if (endStage !== undefined) {
    return warning(
      "registration",
      `${registered} is no longer registered: its last stage is ${endStage}; users still claim the stages until then`,
      register,
    );
  }
  if (bridgesOf([newest], contract).length > 0) {
    return ok("registration", `${registered}, with this contract; operator ${operatorAddress}`);
  }
  return warning(
    "registration",
    `${registered}, with another contract: L1 reads the scores from ${printableText(scoreContract)}`,
    "To name this one: vipscore proposal contract",
  );
}
