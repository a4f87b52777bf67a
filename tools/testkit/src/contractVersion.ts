import { readFileSync } from "node:fs";

const cargo = readFileSync(new URL("../../../contracts/wasm/Cargo.toml", import.meta.url), "utf8");

/** The version of the scoring contracts, the same on every VM, as Cargo.toml has it. */
export const [, contractVersion = ""] = /^version = "(.+)"$/m.exec(cargo) ?? [];
