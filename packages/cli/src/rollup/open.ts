import { formatChecksummed, InputError, parseAccount, type ScoreContract, type Stage } from "@vipscore/core";
import type { EvmAccount } from "@vipscore/evm";
import type { MoveAccount } from "@vipscore/move";
import type { WasmAccount } from "@vipscore/wasm";
import { optionalPackage, type PackageExports } from "../optionalPackage.ts";
import type { Setting } from "../settings/settings.ts";
import {
  isDevice,
  isRemote,
  isSenderOnly,
  refuseToSign,
  senderAccount,
  type Deployed,
  type Rollup,
  type RollupParameters,
  type Signer,
} from "./rollup.ts";

export async function openEvmRollup(parameters: RollupParameters): Promise<Rollup> {
  const evm = await optionalPackage("@vipscore/evm");
  const { endpoint: rpcUrl, expectedChainId, signer, signal } = parameters;
  const account = signer && evmAccountOf(evm, signer);
  const expected = expectedChainId === undefined ? undefined : parseEvmChainId(expectedChainId);
  const chain = { rpcUrl, expectedChainId: expected, signal };
  return {
    signerAddress: account?.address,
    readChainId: async () => (await evm.readEvmChainId(chain)).toString(),
    connect: (address, errors): Promise<ScoreContract> => evm.connectEvm({ ...chain, address, account, errors }),
    readErrors: (artifact) => evm.readEvmErrors(artifact),
    readArtifact: (artifact) => evm.readEvmArtifact(artifact),
    deploy: async (request): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      const { initStage, members, finalizer, owner, artifact, from: replaces, onEvent } = request;
      const wanted = { initStage, members, finalizer, owner, artifact, replaces };
      const deployed = await evm.deployEvm({ ...chain, account, ...wanted, onEvent });
      return { ...deployed, chainId: deployed.chainId.toString(), more: {}, warnings: [] };
    },
  };
}

function evmAccountOf(evm: PackageExports<"@vipscore/evm">, signer: Signer): EvmAccount {
  if (isSenderOnly(signer)) {
    return { address: `0x${formatChecksummed(signer.sender).slice(2)}`, signTransaction: refuseToSign };
  }
  if (isRemote(signer))
    return evm.evmDeviceAccount({ shownAddress: signer.account, signTransaction: signer.signKeccak });
  return isDevice(signer) ? evm.evmDeviceAccount(signer) : evm.evmAccount(signer.privateKey);
}

function parseEvmChainId({ value, source }: Setting<string>): bigint {
  if (/^\d{1,20}$/.test(value) && BigInt(value) > 0n) return BigInt(value);
  throw new InputError(`${source}: "${value}" is not an EVM chain ID (a positive decimal number)`, {
    code: "CONFIG_INVALID",
  });
}

export async function openMoveRollup(parameters: RollupParameters): Promise<Rollup> {
  const move = await optionalPackage("@vipscore/move");
  const { endpoint, protocol, expectedChainId, gasPrices, signer, signal } = parameters;
  const account = signer && moveAccountOf(move, signer);
  const url = protocol === "REST" ? { restUrl: endpoint } : { rpcUrl: endpoint };
  const chain = { ...url, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => move.readMoveChainId(chain),
    connect: (address, errors): Promise<ScoreContract> =>
      move.connectMove({ ...chain, address, account, gasPrices, errors }),
    readErrors: (artifact, address) => move.readMoveErrors(artifact, parseAccount(address, { accountBytes: [20, 32] })),
    readArtifact: (artifact) => move.readMoveArtifact(artifact, account?.account),
    deploy: async (request): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      const { upgradePolicy, ...deployed } = await move.deployMove({ ...chain, account, gasPrices, ...request });
      const isHandedOver = deployed.pendingOwner !== undefined && upgradePolicy === "compatible";
      const warnings = isHandedOver ? [stillPublisher(deployed.address, request.initStage)] : [];
      return { ...deployed, more: { upgradePolicy }, warnings };
    },
    publish: async (artifact) => {
      if (account === undefined) throw new Error("a publish needs a signer");
      return move.publishModules({ ...chain, account, gasPrices, artifact });
    },
  };
}

function moveAccountOf(move: PackageExports<"@vipscore/move">, signer: Signer): MoveAccount {
  if (isSenderOnly(signer)) return senderAccount(signer);
  return isDevice(signer) ? move.moveAminoAccount(signer) : move.moveAccount(signer);
}

/** Returns the address of a signer on every Move chain. */
export async function moveAddress(signer: Signer): Promise<string> {
  return moveAccountOf(await optionalPackage("@vipscore/move"), signer).address;
}

function stillPublisher(publisher: string, initStage: Stage): string {
  return (
    `the publisher ${publisher} can still replace the module's code, no matter who owns the contract: ` +
    `to end that, run vipscore deploy --init-stage ${initStage} --upgrade-policy immutable. The new owner ends the publisher's right to manage members with vipscore members manage off`
  );
}

export async function openWasmRollup(parameters: RollupParameters): Promise<Rollup> {
  const wasm = await optionalPackage("@vipscore/wasm");
  const { endpoint: rpcUrl, expectedChainId, gasPrices, signer, signal } = parameters;
  const account = signer && wasmAccountOf(wasm, signer);
  const chain = { rpcUrl, expectedChainId: expectedChainId?.value, signal };
  return {
    signerAddress: account?.address,
    readChainId: () => wasm.readWasmChainId(chain),
    connect: (address): Promise<ScoreContract> => wasm.connectWasm({ ...chain, address, account, gasPrices }),
    readArtifact: async (artifact) => {
      const { features, bytes } = await wasm.readWasmArtifact(artifact);
      return { features, warning: wasm.overflowWarning(bytes) };
    },
    deploy: async ({ upgrade, findContract, ...request }): Promise<Deployed> => {
      if (account === undefined) throw new Error("a deployment needs a signer");
      if (upgrade === true && (request.admin !== undefined || request.label !== undefined)) {
        throw new InputError("--admin and --label are for a new contract: an upgrade changes neither");
      }
      const wanted = { ...chain, account, gasPrices, ...request };
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

function wasmAccountOf(wasm: PackageExports<"@vipscore/wasm">, signer: Signer): WasmAccount {
  if (isSenderOnly(signer)) return senderAccount(signer);
  return isDevice(signer) ? wasm.wasmAminoAccount(signer) : wasm.wasmAccount(signer);
}

function stillAdmin(admin: string): string {
  return `the admin ${admin} can still replace the contract's code, no matter who owns the contract: to transfer that right, send the chain's MsgUpdateAdmin; to end it, MsgClearAdmin`;
}
