import type { Account } from "../account.ts";
import { CheckError } from "../errors/vipError.ts";
import type { ReadOptions } from "../readOptions.ts";
import type { ScoreContract, StageInfo } from "../scoreContract.ts";

/** @throws CheckError `STAGE_FINALIZED` when scores of the stage can no longer change. */
export function checkOpen(info: StageInfo): void {
  if (!info.isFinalized) return;
  throw new CheckError(
    `stage ${info.stage} is finalized (total ${info.total.toLocaleString("en-US")}): scores in it can no longer change.`,
    {
      code: "STAGE_FINALIZED",
    },
  );
}

/**
 * Returns the account that the contract signs with.
 *
 * @throws CheckError `PERMISSION_DENIED` when the contract was connected for reading only.
 */
export function requireSigner(contract: ScoreContract): Account {
  if (contract.signer !== undefined) return contract.signer;
  throw new CheckError("the contract was connected without a signer: it can only be read", {
    code: "PERMISSION_DENIED",
  });
}

/** @throws CheckError `PERMISSION_DENIED` when the signer is not on the contract's allow-list, naming who is. */
export async function checkMember(contract: ScoreContract, options: ReadOptions = {}): Promise<void> {
  const signer = requireSigner(contract);
  if (await contract.isMember(signer, options)) return;
  const members = await contract.getMembers(options);
  const known = members === undefined ? "" : `; members: ${members.join(", ")}`;
  throw new CheckError(`${signer} may not write scores on ${contract.identity.address}${known}.`, {
    code: "PERMISSION_DENIED",
    metaMessages: [{ code: "add-member", account: signer, text: "An existing member can add it." }],
  });
}
