/** The environment variables from which keys and passwords are read. */
export const secretVariables = ["PRIVATE_KEY", "MNEMONIC", "KEYSTORE_PASSWORD"] as const;
