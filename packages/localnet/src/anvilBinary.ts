import { createRequire } from "node:module";
import { VipError } from "@vipscore/core";

const architectures: Partial<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the path of the anvil program that npm installed for this machine: `@foundry-rs/anvil`, which this package only uses
 * when it is there, has an optional dependency for each platform (`@foundry-rs/anvil-linux-amd64` and so on).
 * @throws CONFIG_INVALID if there is none for this platform, or it was not installed.
 */
export function findAnvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`;
  try {
    // Resolved from the package that depends on it, because strict package managers hide it from all others.
    const fromHere = createRequire(import.meta.url);
    const fromAnvil = createRequire(fromHere.resolve("@foundry-rs/anvil/package.json"));
    return fromAnvil.resolve(`${name}/bin/anvil${process.platform === "win32" ? ".exe" : ""}`);
  } catch (cause) {
    throw new VipError(`anvil is not installed for this machine: the package ${name} is missing`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Install it: npm install @foundry-rs/anvil. Or use the Hardhat node."],
      cause,
    });
  }
}
