import {
  formatBech32,
  type Account,
  type ContractFeatures,
  type DeployedContract,
  type DeployEvent,
  type ScoreContract,
  type Stage,
} from "@vipscore/core";
import type { RemoteKey } from "@vipscore/core/keys";
import type { CosmosAccount } from "@vipscore/cosmos";
import type { LedgerAccount } from "@vipscore/ledger";
import type { Setting } from "../settings/settings.ts";

/** Derivation path of a mnemonic and kind of its key: 60 as on Ethereum, 118 as on Cosmos chains. */
export type CoinType = 60 | 118;

/** The signing key, before a VM turns it into an account. Must never be shown. */
export interface SigningKey {
  /** Always 60 on EVM. */
  readonly coinType: CoinType;
  /** 64 hex digits after `0x`. */
  readonly privateKey: `0x${string}`;
}

/** An account whose signature is left to others; nothing can be sent with it. */
export interface SenderOnly {
  readonly sender: Account;
}

/** A signer, before a VM turns it into an account. */
export type Signer = SigningKey | LedgerAccount | RemoteKey | SenderOnly;

/** Returns whether a device signs, which asks a person each time. */
export function isDevice(signer: Signer): signer is LedgerAccount {
  return "signAmino" in signer;
}

export function isRemote(signer: Signer): signer is RemoteKey {
  return "signKeccak" in signer;
}

export function isSenderOnly(signer: Signer): signer is SenderOnly {
  return "sender" in signer;
}

/** Refuses to sign for an account that only names who will. */
export function refuseToSign(): Promise<never> {
  return Promise.reject(new Error("an unsigned call is never signed here"));
}

/** An endpoint's protocol: Ethereum's JSON-RPC, the REST API of the Cosmos SDK, or CometBFT's RPC. */
export type Protocol = "JSON-RPC" | "REST" | "RPC";

export interface RollupParameters {
  readonly endpoint: string;
  readonly protocol: Protocol;
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId: Setting<string> | undefined;
  /** Gas price set by the rollup's operator, e.g. `0.015umin`; not on EVM. */
  readonly gasPrices: string | undefined;
  readonly signer: Signer | undefined;
  readonly signal: AbortSignal;
}

export interface DeployRequest {
  readonly initStage: Stage;
  readonly members: readonly Account[];
  /** The only account that may finalize stages. Undefined: unchanged; every member of a new contract. */
  readonly finalizer: Account | undefined;
  readonly owner: Account | undefined;
  /** The file or folder of another contract than the vipscore one. */
  readonly artifact: string | undefined;
  /** The contract whose open stage the new one takes over. */
  readonly from: string | undefined;
  /** Changes that a later upgrade may make. */
  readonly upgradePolicy?: "compatible" | "immutable";
  readonly upgrade?: boolean;
  /** Finds the contract to upgrade, on VMs where its address is not its deployer's. */
  readonly findContract: () => Promise<string>;
  /** The account that may replace the contract's code later; `none`: nobody, ever. Default: the signer. */
  readonly admin?: Account | "none";
  readonly label?: string;
  readonly onEvent: (event: DeployEvent) => void;
}

/** A deployed contract, read back from the chain. */
export interface Deployed extends DeployedContract {
  readonly address: string;
  readonly chainId: string;
  /** Further fields of this VM, for `--json`. */
  readonly more: Readonly<Record<string, string>>;
  /** Warnings for people: what the old key can still do after an ownership transfer. */
  readonly warnings: readonly string[];
}

/** The parts of a rollup that the commands need beyond the port of a contract. */
export interface Rollup {
  /** The signer's address as the chain spells it; undefined without a key. */
  readonly signerAddress: string | undefined;
  /** @throws VipError `CHAIN_MISMATCH`; NodeError. */
  readChainId(): Promise<string>;
  /** @throws VipError `CHAIN_MISMATCH`, `CONTRACT_NOT_FOUND`; InputError; NodeError. */
  connect(address: string, errors?: readonly string[]): Promise<ScoreContract>;
  /** Returns what `connect` takes to name the errors of a contract, from its artifact. Not on Wasm, where errors are texts. */
  readErrors?: (artifact: string, address: string) => Promise<readonly string[]>;
  /**
   * Returns what the scoring contract of an artifact can do, and a warning of how it was built. Without a key, a Move module may
   * be compiled for any address.
   */
  readArtifact(
    artifact: string,
  ): Promise<{ readonly features: ContractFeatures; readonly warning?: string | undefined }>;
  deploy(request: DeployRequest): Promise<Deployed>;
  /** Publishes compiled modules of any kind, from a file or a folder. Only on Move. @throws like `deploy`. */
  publish?: (artifact: string) => Promise<Published>;
}

export interface Published {
  readonly modules: readonly string[];
  readonly hash: string;
  readonly height: bigint;
  readonly gasUsed: bigint;
}

/** Creates an account on a Cosmos SDK chain that only names who will sign. */
export function senderAccount({ sender }: SenderOnly): CosmosAccount {
  return { address: formatBech32(sender), account: sender, canQueue: true, signTransaction: refuseToSign };
}
