import { InputError } from "@vipscore/core/errors";

/** The environment variables from which keys and passwords are read. */
export const secretVariables = ["PRIVATE_KEY", "MNEMONIC", "KEYSTORE_PASSWORD"] as const;

/** More hex digits than an address of 20 bytes: a private key, possibly truncated, or an address of 32 bytes. */
const digits = /[0-9a-f]{48,}/gi;

/** Twelve words or more, as in a mnemonic. */
const phrase = /(?<!\p{L})\p{L}{3,}(?:[\s,_-]+\p{L}{3,}){11,}/gu;

/** Returns the parts of a text that look like a private key or a mnemonic. */
export function keyLikeParts(text: string): readonly string[] {
  return [...text.matchAll(digits), ...text.matchAll(phrase)].map(([part]) => part);
}

const secretFlags = /^--?(private-?key|pk|mnemonic|seed-?phrase|secret|password|passphrase|keystore-password)(=|$)/i;

/**
 * Refuses flags that would carry a secret: arguments appear in the shell history and the process list.
 *
 * @throws InputError `KEY_INVALID`, without the value.
 */
export function refuseSecretArguments(argv: readonly string[]): void {
  const found = argv.find((argument) => secretFlags.test(argument));
  if (found === undefined) return;
  throw new InputError(`${found.split("=")[0]} is refused: a secret must not be an argument`, {
    code: "KEY_INVALID",
    metaMessages: [
      "Arguments appear in the shell history and the process list: consider this secret exposed.",
      "Set PRIVATE_KEY in the environment, or use --keystore FILE with KEYSTORE_PASSWORD.",
    ],
  });
}
