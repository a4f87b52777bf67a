import { formatBech32, InputError, type ScoreContract } from "@vipscore/core";
import {
  connectWasm,
  deployWasm,
  readWasmChainId,
  upgradeWasm,
  wasmAccount,
  type DeployWasmEvent,
} from "@vipscore/wasm";
import type { Deployed, DeployStep, Rollup, RollupParameters } from "./rollup.ts";

/**
 * A CosmWasm rollup.
 *
 * @throws InputError `KEY_INVALID` for an invalid key.
 */
export function openWasmRollup(parameters: RollupParameters): Rollup {
  const { endpoint: rpcUrl, expectedChainId, gasPrices, key, signal } = parameters;
  const account = key === undefined ? undefined : wasmAccount(key);
  const chain = { rpcUrl, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => readWasmChainId(chain),
    connect: (address): Promise<ScoreContract> => connectWasm({ ...chain, address, account, gasPrices }),
    deploy: async ({ onStep, upgrade, findContract, ...wish }): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a key");
      const onEvent = (event: DeployWasmEvent): void => onStep(toStep(event));
      if (upgrade === true && (wish.admin !== undefined || wish.label !== undefined)) {
        throw new InputError("--admin and --label are for a new contract: an upgrade changes neither");
      }
      const wanted = { ...chain, account, gasPrices, ...wish, onEvent };
      const { codeId, admin, ...deployed } =
        upgrade === true ? await upgradeWasm({ ...wanted, address: await findContract() }) : await deployWasm(wanted);
      const isHandedOver = deployed.pendingOwner !== undefined && admin === account.account;
      const warnings = isHandedOver ? [stillAdmin(account.address)] : [];
      return { ...deployed, more: { codeId: codeId.toString(), admin: admin ?? "none" }, warnings };
    },
  };
}

function toStep({ step, status, address, account, codeId, hash, gasUsed }: DeployWasmEvent): DeployStep {
  const whom = account === undefined ? "" : ` ${formatBech32(account)}`;
  const what = {
    store: codeId === undefined ? "code" : `code ${codeId}`,
    instantiate: "contract",
    migrate: `code ${codeId} in place of the earlier one`,
    addMember: `member${whom}`,
    setFinalizer: `finalizer${whom}`,
    offerOwnership: `offer of ownership to${whom}`,
  }[step];
  const isThere = (step === "instantiate" || step === "migrate") && status !== "sending";
  return { status, what, hash, gasUsed, created: isThere ? address : undefined };
}

/** What a hand-over of the ownership leaves with the admin's key. */
function stillAdmin(admin: string): string {
  return `the admin ${admin} can still replace the contract's code, whoever owns the contract: hand that over with the chain's own transaction, MsgUpdateAdmin, or end it with MsgClearAdmin`;
}
