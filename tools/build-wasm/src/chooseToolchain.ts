import type { ContractDescription } from "./artifacts.ts";
import { describe } from "./buildModule.ts";
import { installAdvice, type Toolchain } from "./findToolchains.ts";
import { binaryenVersion } from "./wasmOpt.ts";

/**
 * Chooses the toolchain that built the committed module, so that machines agree. Default: the
 * first toolchain found, which gives other bytes.
 *
 * @throws Error if there is none, or if `isCheck` and the recorded one is missing: the bytes of another say nothing about
 * the committed module.
 */
export function chooseToolchain(
  found: readonly Toolchain[],
  recorded: ContractDescription["toolchain"] | undefined,
  isCheck: boolean,
): Toolchain {
  const [first] = found;
  if (first === undefined) throw new Error(installAdvice);
  if (recorded === undefined) return first;
  const { binaryen, ...identity } = recorded;
  const same = found.find(
    (toolchain) =>
      toolchain.identity.rustc === identity.rustc &&
      toolchain.identity.std === identity.std &&
      toolchain.identity.linker === identity.linker,
  );
  if (isCheck && binaryen !== binaryenVersion) {
    throw new Error(
      `vip_score.wasm was optimized by binaryen ${binaryen}; installed is ${binaryenVersion}. Run \`npm ci\`.`,
    );
  }
  if (isCheck && same === undefined) {
    throw new Error(
      [
        `vip_score.wasm was built with ${describe({ identity })}.`,
        "Only that toolchain can check it against the sources. Found:",
        ...found.map((toolchain) => `  ${describe(toolchain)}`),
        "Install the recorded toolchain, or rebuild with `npm run build:artifacts` and commit the result.",
      ].join("\n"),
    );
  }
  return same ?? first;
}
