/** Whether tests may take long: VIPSCORE_LONG=true, which `npm run test:long` sets for the night. */
export const isLong = process.env["VIPSCORE_LONG"] === "true";
