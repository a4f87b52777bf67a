declare const accountBrand: unique symbol;

/**
 * An account in the one form used everywhere: `0x` and the lower-case hex of its 20 or 32 bytes.
 * Two spellings of an account (checksummed hex, bech32) have the same form, so accounts compare with `===`.
 * Made by `parseAccount`.
 */
export type Account = `0x${string}` & { readonly [accountBrand]: true };
