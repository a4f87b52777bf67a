import { formatBech32, parseAccount } from "@vipscore/core";
import { testAccounts } from "@vipscore/localnet";

/** The test deployer's address as Move and Wasm chains write it. */
export const deployerBech32 = formatBech32(parseAccount(testAccounts.deployer.address, { accountBytes: [20] }));
