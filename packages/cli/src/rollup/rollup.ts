import type { Account, DeployedContract, ScoreContract, Stage } from "@vipscore/core";
import type { Setting } from "../settings/setting.ts";

/** How a mnemonic's key is derived and which kind of key it is: 60 as Ethereum's, 118 as the Cosmos chains'. */
export type CoinType = 60 | 118;

/** What a command signs with, before a VM makes an account of it. Nothing of it may be shown. */
export interface SigningKey {
  /** Always 60 on EVM, which knows no other. */
  readonly coinType: CoinType;
  /** 64 hex digits after `0x`. */
  readonly privateKey: `0x${string}`;
}

/** Where a rollup is, and who signs there. */
export interface RollupParameters {
  readonly endpoint: string;
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId: Setting<string> | undefined;
  /** Gas price as the rollup's operator tells it, e.g. `0.015umin`; not on EVM. */
  readonly gasPrices: string | undefined;
  readonly key: SigningKey | undefined;
  readonly signal: AbortSignal;
}

/** What a deployment shall lead to. */
export interface DeployWish {
  readonly initStage: Stage;
  /** Further accounts that may write scores. */
  readonly members: readonly Account[];
  /** The one account that alone finalizes stages; undefined: as it is, at first every member. */
  readonly finalizer: Account | undefined;
  /** Who is offered the ownership. */
  readonly owner: Account | undefined;
  /** The contract whose open stage the new one takes over. */
  readonly from: string | undefined;
  /** What a later upgrade may change. */
  readonly upgradePolicy?: "compatible" | "immutable";
  /** Replace the code of a scoring contract that is there already. */
  readonly upgrade?: boolean;
  /** Finds the contract to upgrade, where its address is not its deployer's. */
  readonly findContract: () => Promise<string>;
  /** Who may replace the contract's code later, or `none`: nobody, ever. Default: the signer. */
  readonly admin?: Account | "none";
  /** The contract's name for people, as explorers show it. */
  readonly label?: string;
  readonly onStep: (step: DeployStep) => void;
}

/** A step of a deployment, told before its transaction leaves and when it is done. */
export interface DeployStep {
  readonly status: "sending" | "done" | "unchanged";
  /** What the step is about, for people: `contract`, `member 0x…`. */
  readonly what: string;
  readonly hash: string | undefined;
  readonly gasUsed: bigint | undefined;
  /** With the step after which a contract exists: its address. */
  readonly created: string | undefined;
}

/** A deployed contract, read back from the chain. */
export interface Deployed extends DeployedContract {
  readonly address: string;
  readonly chainId: string;
  /** What else this VM reports of it, for `--json`. */
  readonly more: Readonly<Record<string, string>>;
  /** Warnings for people: what the old key can still do after a hand-over of the ownership. */
  readonly warnings: readonly string[];
}

/** What the commands need of a rollup beyond the port: to find it, to sign on it, to connect and to deploy. */
export interface Rollup {
  /** The signer's address as the chain spells it; undefined without a key. */
  readonly signerAddress: string | undefined;
  /** @throws CheckError `CHAIN_MISMATCH`; NodeError. */
  readChainId(): Promise<string>;
  /** @throws CheckError `CHAIN_MISMATCH`, `CONTRACT_NOT_FOUND`; InputError; NodeError. */
  connect(address: string): Promise<ScoreContract>;
  /** @throws CheckError; ExecutionError; BroadcastError; NodeError. */
  deploy(wish: DeployWish): Promise<Deployed>;
}
