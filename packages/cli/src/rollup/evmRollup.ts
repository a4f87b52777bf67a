import { formatChecksummed, InputError, type OtherCall, type ScoreContract } from "@vipscore/core";
import type { DeployEvmEvent, EvmAccount } from "@vipscore/evm";
import { optionalPackage, type PackageExports } from "../optionalPackage.ts";
import type { Setting } from "../settings/setting.ts";
import {
  isDevice,
  isSenderOnly,
  refuseToSign,
  type Deployed,
  type DeployStep,
  type Rollup,
  type RollupParameters,
  type Signer,
} from "./rollup.ts";

/**
 * Opens an EVM rollup.
 *
 * @throws InputError `KEY_INVALID` for an invalid key; `CONFIG_INVALID` for an invalid chain ID; `PACKAGE_MISSING`.
 */
export async function openEvmRollup(parameters: RollupParameters): Promise<Rollup> {
  const evm = await optionalPackage("@vipscore/evm");
  const { endpoint: rpcUrl, expectedChainId, signer, signal } = parameters;
  const account = signer && accountOf(evm, signer);
  const expected = expectedChainId === undefined ? undefined : parseEvmChainId(expectedChainId);
  const chain = { rpcUrl, expectedChainId: expected, signal };
  return {
    signerAddress: account?.address,
    readChainId: async () => (await evm.readEvmChainId(chain)).toString(),
    connect: (address): Promise<ScoreContract> => evm.connectEvm({ ...chain, address, account }),
    deploy: async (request): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      const { initStage, members, finalizer, owner, artifact, from: replaces } = request;
      const wanted = { initStage, members, finalizer, owner, artifact, replaces };
      const onEvent = (event: DeployEvmEvent): void => request.onStep(toStep(event));
      const deployed = await evm.deployEvm({ ...chain, account, ...wanted, onEvent });
      return { ...deployed, chainId: deployed.chainId.toString(), more: {}, warnings: [] };
    },
  };
}

function accountOf(evm: PackageExports<"@vipscore/evm">, signer: Signer): EvmAccount {
  if (isSenderOnly(signer)) {
    return { address: `0x${formatChecksummed(signer.sender).slice(2)}`, signTransaction: refuseToSign };
  }
  return isDevice(signer) ? evm.evmDeviceAccount(signer) : evm.evmAccount(signer.privateKey);
}

function toStep({ step, status, account, address, hash, gasUsed }: DeployEvmEvent): DeployStep {
  const whom = account === undefined ? "" : ` ${formatChecksummed(account)}`;
  const what = {
    deploy: "contract",
    addMember: `member${whom}`,
    setFinalizer: `finalizer${whom}`,
    offerOwnership: `offer of ownership to${whom}`,
  }[step];
  return { status, what, hash, gasUsed, created: step === "deploy" && status !== "sending" ? address : undefined };
}

function parseEvmChainId({ value, source }: Setting<string>): bigint {
  if (/^\d{1,20}$/.test(value) && BigInt(value) > 0n) return BigInt(value);
  throw new InputError(`${source}: "${value}" is not an EVM chain ID (a positive decimal number)`, {
    code: "CONFIG_INVALID",
  });
}

/**
 * Returns a call as a batch for the Transaction Builder of Safe, in JSON. Safe's app refuses it on another chain, and warns in
 * another Safe than the contract's account.
 */
export async function safeBatch({ identity, signer }: ScoreContract, call: OtherCall): Promise<string> {
  const { encodeCall } = await optionalPackage("@vipscore/evm");
  const from = signer === undefined ? {} : { createdFromSafeAddress: formatChecksummed(signer) };
  return JSON.stringify({
    version: "1.0",
    chainId: identity.chainId,
    createdAt: Date.now(),
    meta: { name: `vipscore: ${call.kind}`, description: `Scoring contract ${identity.address}`, ...from },
    transactions: [{ to: identity.address, value: "0", data: encodeCall(call) }],
  });
}
