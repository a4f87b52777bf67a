import { InputError } from "@vipscore/core/errors";

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
