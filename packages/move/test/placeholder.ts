/** The address that fixtures are compiled for; tests replace it. */
export const placeholder = `0x${"5e".repeat(32)}` as const;
