import type { PublicClient, TestClient } from "@nomicfoundation/hardhat-viem/types";
import {
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  isAddressEqual,
  keccak256,
  parseEventLogs,
  slice,
  toHex,
  type Abi,
  type Address,
  type Hex,
} from "viem";
import { loadHardhat } from "./loadHardhat.ts";

/** An event of the called contract with its name and arguments, in the order in which the transaction emitted them. */
export interface ChainEvent {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The outcome of a transaction. `error` is set if it reverted; then `events` is empty. */
export interface Outcome {
  readonly gasUsed: bigint;
  readonly events: readonly ChainEvent[];
  /** The name is empty if the revert has no data, as for a call that Solidity cannot decode. */
  readonly error?: { readonly name: string; readonly args: readonly unknown[] };
}

/** One deployed contract. Functions are called by name; arguments are checked when they are encoded. */
export interface Contract {
  readonly address: Address;
  /** Sends a transaction from one of the chain's accounts and returns its outcome, even if it reverted. */
  send(from: Address, name: string, args?: readonly unknown[]): Promise<Outcome>;
  /** The calldata of a call. */
  encode(name: string, args?: readonly unknown[]): Hex;
  /** Sends raw calldata. */
  sendData(from: Address, data: Hex): Promise<Outcome>;
  /** Calls a view. @throws {@link RevertError} when it reverts. */
  read<T>(name: string, args?: readonly unknown[]): Promise<T>;
}

/** A view reverted with this error of the contract. */
export class RevertError extends Error {
  readonly revert: { readonly name: string; readonly args: readonly unknown[] };
  override readonly name = "RevertError";

  constructor(revert: { readonly name: string; readonly args: readonly unknown[] }) {
    super(`${revert.name}(${revert.args.join(", ")})`);
    this.revert = revert;
  }
}

/** An in-process chain with unlocked accounts, on which transactions are mined at once. */
export interface Chain {
  readonly accounts: readonly Address[];
  readonly reader: PublicClient;
  readonly tests: TestClient;
  /** Deploys from the first account. @throws {@link RevertError} when the constructor reverts. */
  deploy(name: string, args: readonly unknown[]): Promise<Contract>;
  /** Takes a snapshot and returns a function that restores it, any number of times. */
  snapshot(): Promise<() => Promise<void>>;
}

/** Enough for the largest batch. */
const gas = 900_000_000n;

/** Opens a separate chain for the calling test file. */
export async function openChain(): Promise<Chain> {
  const hre = await loadHardhat();
  const { viem } = await hre.network.create();
  const [reader, clients, tests] = await Promise.all([
    viem.getPublicClient(),
    viem.getWalletClients(),
    viem.getTestClient(),
  ]);
  const [wallet] = clients;

  const contractAt = (abi: Abi, address: Address): Contract => ({
    address,
    encode: (functionName, args = []) => encodeFunctionData({ abi, functionName, args: [...args] }),
    async sendData(account, data) {
      try {
        const hash = await wallet!.sendTransaction({ account, to: address, data, gas, chain: null });
        const { gasUsed, logs } = await reader.getTransactionReceipt({ hash });
        // A contract may call others, whose events it does not know.
        const own = logs.filter((log) => isAddressEqual(log.address, address));
        const events = parseEventLogs({ abi, logs: own }).map(({ eventName: name, args }): ChainEvent => {
          // An event without arguments has none.
          return { name, args: { ...(args as unknown as ChainEvent["args"] | undefined) } };
        });
        return { gasUsed, events };
      } catch (cause) {
        return { gasUsed: 0n, events: [], error: decodeRevert(abi, cause) };
      }
    },
    async send(from, functionName, args = []) {
      return this.sendData(from, this.encode(functionName, args));
    },
    async read<T>(functionName: string, args: readonly unknown[] = []) {
      try {
        return (await reader.readContract({ abi, address, functionName, args })) as T;
      } catch (cause) {
        throw new RevertError(decodeRevert(abi, cause));
      }
    },
  });

  return {
    accounts: clients.map(({ account }) => getAddress(account.address)),
    reader,
    tests,
    async deploy(name, args) {
      try {
        const { abi, address } = await viem.deployContract(name, [...args], { gas });
        return contractAt(abi, address);
      } catch (cause) {
        const { abi } = await hre.artifacts.readArtifact(name);
        throw new RevertError(decodeRevert(abi as Abi, cause));
      }
    },
    async snapshot() {
      let id = await tests.snapshot();
      return async () => {
        await tests.revert({ id });
        id = await tests.snapshot();
      };
    },
  };
}

/** The n-th of a fixed series of addresses that look random. */
export function someAddress(n: number): Address {
  return getAddress(slice(keccak256(toHex(`account ${n}`)), 0, 20));
}

/** `count` addresses of that series, from the n-th on. */
export function someAddresses(count: number, from = 0): Address[] {
  return Array.from({ length: count }, (_, i) => someAddress(from + i));
}

function decodeRevert(abi: Abi, cause: unknown): NonNullable<Outcome["error"]> {
  const data = revertData(cause);
  if (data === undefined) throw cause;
  if (data === "0x") return { name: "", args: [] };
  const { errorName, args } = decodeErrorResult({ abi, data });
  return { name: errorName, args: args ?? [] };
}

/** The revert data is that of one of the causes: as `data`, or as `data.data` for a failed transaction. */
function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof Error)) return undefined;
  const { data } = error as { readonly data?: Hex | { readonly data?: Hex } };
  const found = typeof data === "object" ? data.data : data;
  return typeof found === "string" ? found : revertData(error.cause);
}
