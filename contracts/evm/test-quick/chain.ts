import {
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  isAddressEqual,
  keccak256,
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
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Deploys from the first account. @throws {@link RevertError} when the constructor reverts. */
  deploy(name: string, args: readonly unknown[]): Promise<Contract>;
  /** Takes a snapshot and returns a function that restores it, any number of times. */
  snapshot(): Promise<() => Promise<void>>;
}

interface Log {
  readonly address: Address;
  readonly data: Hex;
  readonly topics: [Hex, ...Hex[]];
}

interface Receipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly contractAddress: Address | null;
  readonly logs: readonly Log[];
}

const GAS: Hex = toHex(900_000_000n);

/** Opens a separate chain for the calling test file. */
export async function openChain(): Promise<Chain> {
  const hre = await loadHardhat();
  const { provider, viem } = await hre.network.create();
  const accounts = (await viem.getWalletClients()).map((client) => getAddress(client.account.address));

  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    provider.request({ method, params: [...params] });

  const transact = async (
    abi: Abi,
    transaction: { from?: Address; to?: Address; data: Hex },
  ): Promise<{ receipt?: Receipt; error?: NonNullable<Outcome["error"]> }> => {
    try {
      const hash = await request("eth_sendTransaction", [{ gas: GAS, ...transaction }]);
      return { receipt: (await request("eth_getTransactionReceipt", [hash])) as Receipt };
    } catch (cause) {
      return { error: decodeRevert(abi, cause) };
    }
  };

  const deploy = async (name: string, args: readonly unknown[]): Promise<Contract> => {
    const artifact = await hre.artifacts.readArtifact(name);
    const abi = artifact.abi as Abi;
    const data = encodeDeployData({ abi, bytecode: artifact.bytecode as Hex, args: [...args] });
    const { receipt, error } = await transact(abi, { from: accounts[0] as Address, data });
    if (error !== undefined) throw new RevertError(error);
    const address = receipt?.contractAddress;
    if (!address) throw new Error(`${name} was not deployed`);
    return contractAt(abi, address);
  };

  const contractAt = (abi: Abi, address: Address): Contract => ({
    address,
    encode: (functionName, args = []) => encodeFunctionData({ abi, functionName, args: [...args] }),
    async sendData(from, data) {
      const { receipt, error } = await transact(abi, { from, to: address, data });
      if (receipt === undefined) return { gasUsed: 0n, events: [], ...(error && { error }) };
      // A contract may call others, whose events it does not know.
      const own = receipt.logs.filter((log) => isAddressEqual(log.address, address));
      return { gasUsed: BigInt(receipt.gasUsed), events: own.map((log) => decodeLog(abi, log)) };
    },
    async send(from, functionName, args = []) {
      return this.sendData(from, this.encode(functionName, args));
    },
    async read<T>(functionName: string, args: readonly unknown[] = []) {
      const data = encodeFunctionData({ abi, functionName, args: [...args] });
      try {
        const result = (await request("eth_call", [{ to: address, data, gas: GAS }, "latest"])) as Hex;
        return decodeFunctionResult({ abi, functionName, data: result }) as T;
      } catch (cause) {
        throw new RevertError(decodeRevert(abi, cause));
      }
    },
  });

  return {
    accounts,
    request,
    deploy,
    async snapshot() {
      let id = await request("evm_snapshot");
      return async () => {
        await request("evm_revert", [id]);
        id = await request("evm_snapshot");
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

function decodeLog(abi: Abi, log: Log): ChainEvent {
  const { eventName, args } = decodeEventLog({ abi, data: log.data, topics: log.topics });
  return { name: eventName ?? "", args: (args ?? {}) as unknown as Readonly<Record<string, unknown>> };
}

function decodeRevert(abi: Abi, cause: unknown): NonNullable<Outcome["error"]> {
  const data = revertData(cause);
  if (data === undefined) throw cause;
  if (data === "0x") return { name: "", args: [] };
  const { errorName, args } = decodeErrorResult({ abi, data });
  return { name: errorName, args: args ?? [] };
}

/** Hardhat's provider returns the revert data as `data`, or as `data.data` for a failed transaction. */
function revertData(cause: unknown): Hex | undefined {
  for (
    let value = cause;
    typeof value === "object" && value !== null;
    value = "data" in value ? value.data : undefined
  ) {
    if ("data" in value && typeof value.data === "string") return value.data as Hex;
  }
  return undefined;
}
