import { formatBech32, InputError, type ScoreContract } from "@vipscore/core";
import type { DeployWasmEvent, WasmAccount } from "@vipscore/wasm";
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
 * Opens a CosmWasm rollup.
 *
 * @throws InputError `KEY_INVALID` for an invalid key; `PACKAGE_MISSING`.
 */
export async function openWasmRollup(parameters: RollupParameters): Promise<Rollup> {
  const wasm = await optionalPackage("@vipscore/wasm");
  const { endpoint: rpcUrl, expectedChainId, gasPrices, signer, signal } = parameters;
  const account = signer && accountOf(wasm, signer);
  const chain = { rpcUrl, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => wasm.readWasmChainId(chain),
    connect: (address): Promise<ScoreContract> => wasm.connectWasm({ ...chain, address, account, gasPrices }),
    deploy: async ({ onStep, upgrade, findContract, ...request }): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      const onEvent = (event: DeployWasmEvent): void => onStep(toStep(event));
      if (upgrade === true && (request.admin !== undefined || request.label !== undefined)) {
        throw new InputError("--admin and --label are for a new contract: an upgrade changes neither");
      }
      const wanted = { ...chain, account, gasPrices, ...request, onEvent };
      const { codeId, admin, ...deployed } =
        upgrade === true
          ? await wasm.upgradeWasm({ ...wanted, address: await findContract() })
          : await wasm.deployWasm(wanted);
      const isHandedOver = deployed.pendingOwner !== undefined && admin === account.account;
      const warnings = isHandedOver ? [stillAdmin(account.address)] : [];
      return { ...deployed, more: { codeId: codeId.toString(), admin: admin ?? "none" }, warnings };
    },
  };
}

function accountOf(wasm: PackageExports<"@vipscore/wasm">, signer: Signer): WasmAccount {
  if (isSenderOnly(signer)) return senderAccount(signer);
  return isDevice(signer) ? wasm.wasmAminoAccount(signer) : wasm.wasmAccount(signer);
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
  const exists = (step === "instantiate" || step === "migrate") && status !== "sending";
  return { status, what, hash, gasUsed, created: exists ? address : undefined };
}

/** Warns of what the admin's key can still do after an ownership transfer. */
function stillAdmin(admin: string): string {
  return `the admin ${admin} can still replace the contract's code, no matter who owns the contract: to transfer that right, send the chain's MsgUpdateAdmin; to end it, MsgClearAdmin`;
}
