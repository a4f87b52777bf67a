import { privateKeyOf } from "./account/privateKeyOf.ts";

/** An account that every local node funds at start. */
export interface LocalAccount {
  readonly name: "deployer" | "operator";
  /** PUBLIC test mnemonic, never for real funds. */
  readonly mnemonic: string;
  /** The EVM address, EIP-55. */
  readonly address: `0x${string}`;
  /** The secp256k1 private key at m/44'/60'/0'/0/0, derived from the mnemonic when it is first read (about 60 ms). */
  readonly privateKey: `0x${string}`;
}

/**
 * PUBLIC TEST KEYS, NEVER FOR REAL FUNDS: the two accounts of Initia's VIP integration guide, which everyone knows.
 * Anything sent to them on a real chain is lost.
 */
export const testAccounts: { readonly deployer: LocalAccount; readonly operator: LocalAccount } = {
  deployer: testAccount(
    "deployer",
    "room fruit chalk buyer budget wisdom theme sound north square regular truck deal anxiety wrestle toy flight release actress critic saddle garment just found",
    "0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475",
  ),
  operator: testAccount(
    "operator",
    "glare boil shallow hurt distance grant rose pledge begin main stage affair alpha garlic tornado enemy enable swallow unusual foster maid pelican also bus",
    "0x8caD25eC80a10522C258e2F59Abf0006C9445D1B",
  ),
};

function testAccount(name: LocalAccount["name"], mnemonic: string, address: `0x${string}`): LocalAccount {
  let privateKey: `0x${string}` | undefined;
  return {
    name,
    mnemonic,
    address,
    get privateKey(): `0x${string}` {
      privateKey ??= `0x${Buffer.from(privateKeyOf({ mnemonic })).toString("hex")}`;
      return privateKey;
    },
  };
}
