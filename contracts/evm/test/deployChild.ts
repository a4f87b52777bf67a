import { getAddress, getContract, type Abi, type Hex } from "viem";
import type { Chain, Contract } from "./chain.ts";
import { compileSources, quickSettings } from "./compileSources.ts";

/** A contract compiled from a source of a test. */
export interface ChildCode {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** The imports of a child, and a contract that calls back what a hook of the child asks for. */
export const outsideSource = `
import {VipScore} from "src/VipScore.sol";
import {RowHooks} from "src/RowHooks.sol";
contract Outside {
  function run(bytes calldata data, bool mustSucceed) external {
    (bool isDone, bytes memory answer) = msg.sender.call(data);
    if (!isDone && mustSucceed) assembly { revert(add(answer, 32), mload(answer)) }
  }
  function allows(uint64 amount, uint64 modulus) external pure returns (bool) { return amount % modulus != 2; }
}`;

/** Compiles one source file that imports from `src/`; returns its contracts by name, without code for abstract ones. */
export async function compileChild(source: string): Promise<Readonly<Record<string, ChildCode>>> {
  const file = "child.sol";
  const selected = { [file]: { "*": ["abi", "evm.bytecode.object"] } };
  const text = `pragma solidity ^0.8.24;\n${source}`;
  const { contracts, errors = [] } = await compileSources({ [file]: text }, selected, quickSettings);
  const faults = errors.filter(({ severity }) => severity === "error").map(({ message }) => message);
  if (faults.length > 0) throw new Error(`${faults.join("\n")}\n${text}`);
  return Object.fromEntries(
    Object.entries(contracts[file]).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as const },
    ]),
  );
}

/** Deploys a compiled contract from the first account. */
export async function deployCode(chain: Chain, code: ChildCode, args: readonly unknown[]): Promise<Contract> {
  const account = chain.accounts[0];
  const hash = await chain.wallet.deployContract({ ...code, account, args: [...args], chain: null });
  const { contractAddress } = await chain.reader.getTransactionReceipt({ hash });
  if (contractAddress == null) throw new Error("the contract was not deployed");
  const client = { public: chain.reader, wallet: chain.wallet };
  return getContract({ abi: code.abi, address: getAddress(contractAddress), client });
}
