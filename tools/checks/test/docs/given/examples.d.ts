// What the reader of an example has already: the examples use these names without declaring them.
import type * as files from "node:fs/promises";
import type { ContractIdentity, ScoreTable } from "@vipscore/core";
import type { EvmAccount } from "@vipscore/evm";

declare global {
  const mnemonic: string;
  const key: `0x${string}`;
  const rpcUrl: string;
  const restUrl: string;
  const chainId: string;
  const address: `0x${string}`;
  const account: EvmAccount;
  const accountNumber: bigint;
  const sequence: bigint;
  const typeUrl: string;
  const value: Uint8Array;
  const height: bigint;
  const contract: ContractIdentity;
  const table: ScoreTable;
  const stdin: NodeJS.ReadStream;
  const stdout: NodeJS.WriteStream;
  const stderr: NodeJS.WriteStream;
  const env: NodeJS.ProcessEnv;
  const cwd: string;
  const signal: AbortSignal;
  const readFile: typeof files.readFile;
}
