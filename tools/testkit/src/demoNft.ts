import { readFile } from "node:fs/promises";
import type { Abi, Hex } from "viem";
import { isObject } from "@vipscore/core/wire";

/** A contract ready to deploy. */
export interface BuiltContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/**
 * Reads the built collection `DemoNft`: an OpenZeppelin ERC-721 that anyone may mint, for local nodes and load tests,
 * never for a real chain. Its sources are in contracts/evm; the constructor takes a name and a symbol. Additional
 * functions: `mint(address[] to)`, with ids counting from 1, `transferMany(uint256[] ids, address[] to)`,
 * `burn(uint256[] ids)`.
 */
export async function readDemoNft(): Promise<BuiltContract> {
  const text = await readFile(new URL("../artifacts/DemoNft.json", import.meta.url), "utf8");
  const value: unknown = JSON.parse(text);
  if (isBuiltContract(value)) return value;
  throw new Error("artifacts/DemoNft.json is not what `npm run build:artifacts` writes");
}

function isBuiltContract(value: unknown): value is BuiltContract {
  if (!isObject(value)) return false;
  const { abi, bytecode } = value;
  return Array.isArray(abi) && typeof bytecode === "string" && bytecode.startsWith("0x");
}
