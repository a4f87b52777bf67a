import type {
  GetContractReturnType,
  HardhatViemHelpers,
  PublicClient,
  TestClient,
  WalletClient,
} from "@nomicfoundation/hardhat-viem/types";
import { getAddress, type Address } from "viem";
import { loadHardhat } from "./loadHardhat.ts";

export type Contract = GetContractReturnType;

/** An in-process chain with unlocked accounts, on which transactions are mined at once. */
export interface Chain {
  readonly viem: HardhatViemHelpers;
  /** The first one sends by default. */
  readonly accounts: readonly Address[];
  readonly reader: PublicClient;
  readonly wallet: WalletClient;
  readonly tests: TestClient;
  /** Takes a snapshot and returns a function that restores it, any number of times. */
  snapshot(): Promise<() => Promise<void>>;
}

/** Opens a separate chain for the calling test file. */
export async function openChain(): Promise<Chain> {
  const { viem } = await (await loadHardhat()).network.create();
  const [reader, clients, tests] = await Promise.all([
    viem.getPublicClient(),
    viem.getWalletClients(),
    viem.getTestClient(),
  ]);
  return {
    viem,
    accounts: clients.map(({ account }) => getAddress(account.address)),
    reader,
    wallet: clients[0],
    tests,
    async snapshot() {
      let id = await tests.snapshot();
      return async () => {
        await tests.revert({ id });
        id = await tests.snapshot();
      };
    },
  };
}
