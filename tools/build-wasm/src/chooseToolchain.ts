import type { ContractDescription } from "./artifacts.ts";
import { describe } from "./buildModule.ts";
import { installAdvice, type Toolchain } from "./findToolchains.ts";
import { binaryenVersion } from "./wasmOpt.ts";

/**
 * Chooses the toolchain that the committed module was built with, so that machines with several agree; without it the
 * first one found, which gives other bytes.
 *
 * @throws Error when there is none, or when `isCheck` and there is another one only: its bytes would tell nothing about
 * the committed ones.
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
      `vip_score.wasm was optimised by binaryen ${binaryen}; here is ${binaryenVersion}. Run \`npm ci\`.`,
    );
  }
  if (isCheck && same === undefined) {
    throw new Error(
      [
        `vip_score.wasm was built with ${describe({ identity })}.`,
        "Only that toolchain can tell whether it is what the sources give. Here is:",
        ...found.map((toolchain) => `  ${describe(toolchain)}`),
        "Install the recorded one, or rebuild with `npm run build:artifacts` and commit the result.",
      ].join("\n"),
    );
  }
  return same ?? first;
}
