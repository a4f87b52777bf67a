import { expect, test } from "vitest";
import { replayExchanges } from "@vipscore/testkit/softwareDevice";
import { openLedger, type LedgerAccount, type LedgerApp } from "./openLedger.ts";

// Written by hand from doc/ethapp.adoc of LedgerHQ/app-ethereum and docs/APDUSPEC.md of cosmos/ledger-cosmos. The key is 1, whose
// point is the generator of secp256k1.
const x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
const address = "7e5f4552091a69125d5dfcb7b8c2659029395bdf";

const ethereumPath = "05 8000002c 8000003c 80000000 00000000 00000000";
const cosmosPath = "2c000080 76000080 00000080 00000000 00000000";

const ascii = (text: string): string => Buffer.from(text).toString("hex");

/** The question for the address, which opens an account. */
const ethereumAddress = `=> e0020000 15 ${ethereumPath}\n<= 41 04${x}${y} 28 ${ascii(address)} 9000\n`;
const cosmosText = "cosmos1w508d6qejxtdg4y5r3zarvary0c5xw7k6ah60c";
const cosmosAddress = `=> 55040000 1b 06 ${ascii("cosmos")} ${cosmosPath}\n<= 02${x} ${ascii(cosmosText)} 9000\n`;

/** Opens an account, and plays further exchanges while something is done with it. */
async function exchange<T>(app: LedgerApp, lines: string, run: (account: LedgerAccount) => Promise<T>): Promise<T> {
  const transport = await replayExchanges(lines);
  const { signal } = new AbortController();
  const account = await openLedger(app, { open: () => Promise.resolve(transport), note: () => undefined, signal });
  const result = await run(account);
  transport.recordStore.ensureQueueEmpty();
  return result;
}

test("the Ethereum app returns an address, and shows it", async () => {
  const shown = ethereumAddress.replace("e0020000", "e0020100");
  const account = await exchange("ethereum", `${ethereumAddress}${shown}`, async (opened) => {
    await opened.confirmAddress();
    return opened;
  });
  expect(account.shownAddress).toBe("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
  expect(Buffer.from(account.publicKey).toString("hex")).toBe(`02${x}`);
});

test("the Ethereum app's address must belong to its public key", async () => {
  const lines = ethereumAddress.replace(ascii(address), ascii(address.replace("7", "8")));
  await expect(exchange("ethereum", lines, (account) => Promise.resolve(account))).rejects.toMatchObject({
    code: "DEVICE_FAILED",
  });
});

test("a message goes to the Ethereum app in parts of 255 bytes", async () => {
  const [first, second] = ["61".repeat(255 - 21 - 4), "61".repeat(10)];
  const lines = [
    `=> e0080000 ff ${ethereumPath} 000000f0 ${first}\n<= 9000`,
    `=> e0088000 0a ${second}\n<= 1b ${"11".repeat(32)} ${"22".repeat(32)} 9000\n`,
  ].join("\n");
  const message = Buffer.from("a".repeat(240));
  const signature = await exchange("ethereum", ethereumAddress + lines, (account) => account.signAmino(message));
  expect(Buffer.from(signature).toString("hex")).toBe("11".repeat(32) + "22".repeat(32));
});

test("the Cosmos app returns an address, and shows it", async () => {
  const shown = cosmosAddress.replace("55040000", "55040100");
  const account = await exchange("cosmos", `${cosmosAddress}${shown}`, async (opened) => {
    await opened.confirmAddress();
    return opened;
  });
  expect(account.shownAddress).toBe(cosmosText);
});

test("a document goes to the Cosmos app in parts of 250 bytes; its signature comes back in DER, with the lower s", async () => {
  const lines = [
    `=> 55020000 14 ${cosmosPath}\n<= 9000`,
    `=> 55020100 fa ${"61".repeat(250)}\n<= 9000`,
    // r has a leading zero byte in DER, and s is the order less 1.
    `=> 55020200 05 ${"61".repeat(5)}\n<= 3046 0221 00${"fe".repeat(32)} 0221 00fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140 9000\n`,
  ].join("\n");
  const document = Buffer.from("a".repeat(255));
  const signature = await exchange("cosmos", cosmosAddress + lines, (account) => account.signAmino(document));
  expect(Buffer.from(signature).toString("hex")).toBe(`${"fe".repeat(32)}${"00".repeat(31)}01`);
});
