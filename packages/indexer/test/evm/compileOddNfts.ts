import { compileSolidity, type CompiledContract } from "@vipscore/testkit/compileSolidity";

/** Compiles OddNfts.sol; returns its contracts by name. */
export function compileOddNfts(): Promise<Readonly<Record<string, CompiledContract>>> {
  return compileSolidity(new URL("OddNfts.sol", import.meta.url));
}
