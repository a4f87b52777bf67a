/** The address that fixtures are compiled for, and that tests replace. */
export const placeholder = `0x${"5e".repeat(32)}` as const;
