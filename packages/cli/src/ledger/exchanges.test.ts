import { expect, test } from "vitest";
import { replayExchanges } from "@vipscore/testkit/softwareDevice";
import { getCosmosAddress, signCosmosDocument } from "./cosmosApp.ts";
import { Device } from "./device.ts";
import { getEthereumAddress, signEthereumMessage } from "./ethereumApp.ts";
import { defaultPath, ledgerApps, parsePath, type LedgerApp } from "./ledgerApp.ts";

// Written by hand from doc/ethapp.adoc of LedgerHQ/app-ethereum and docs/APDUSPEC.md of cosmos/ledger-cosmos. The key is 1, whose
// point is the generator of secp256k1.
const x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
const address = "7e5f4552091a69125d5dfcb7b8c2659029395bdf";

const ethereumPath = "05 8000002c 8000003c 80000000 00000000 00000000";
const cosmosPath = "2c000080 76000080 00000080 00000000 00000000";

const ascii = (text: string): string => Buffer.from(text).toString("hex");

async function exchange<T>(
  app: LedgerApp,
  lines: string,
  run: (device: Device, path: readonly number[]) => Promise<T>,
): Promise<T> {
  const transport = await replayExchanges(lines);
  const facts = ledgerApps[app];
  const device = new Device(transport, { app: facts, signal: new AbortController().signal });
  const result = await run(device, parsePath(defaultPath(facts), facts));
  transport.recordStore.ensureQueueEmpty();
  return result;
}

test.each([false, true])("the Ethereum app returns an address; shown: %s", async (isShown) => {
  const lines = `=> e002 ${isShown ? "01" : "00"}00 15 ${ethereumPath}\n<= 41 04${x}${y} 28 ${ascii(address)} 9000\n`;
  const found = await exchange("ethereum", lines, (device, path) => getEthereumAddress(device, path, { isShown }));
  expect(found.address).toBe("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
  expect(Buffer.from(found.publicKey).toString("hex")).toBe(`02${x}`);
});

test("the Ethereum app's address must belong to its public key", async () => {
  const lines = `=> e0020000 15 ${ethereumPath}\n<= 41 04${x}${y} 28 ${ascii(address.replace("7", "8"))} 9000\n`;
  const asked = exchange("ethereum", lines, (device, path) => getEthereumAddress(device, path, { isShown: false }));
  await expect(asked).rejects.toMatchObject({ code: "DEVICE_FAILED" });
});

test("a message goes to the Ethereum app in parts of 255 bytes", async () => {
  const [first, second] = ["61".repeat(255 - 21 - 4), "61".repeat(10)];
  const lines = [
    `=> e0080000 ff ${ethereumPath} 000000f0 ${first}\n<= 9000`,
    `=> e0088000 0a ${second}\n<= 1b ${"11".repeat(32)} ${"22".repeat(32)} 9000\n`,
  ].join("\n");
  const message = Buffer.from("a".repeat(240));
  const signature = await exchange("ethereum", lines, (device, path) => signEthereumMessage(device, path, message));
  expect(Buffer.from(signature).toString("hex")).toBe("11".repeat(32) + "22".repeat(32));
});

test("the Cosmos app returns an address", async () => {
  const text = "cosmos1w508d6qejxtdg4y5r3zarvary0c5xw7k6ah60c";
  const lines = `=> 55040100 1b 06 ${ascii("cosmos")} ${cosmosPath}\n<= 02${x} ${ascii(text)} 9000\n`;
  const found = await exchange("cosmos", lines, (device, path) => getCosmosAddress(device, path, { isShown: true }));
  expect(found.address).toBe(text);
});

test("a document goes to the Cosmos app in parts of 250 bytes; its signature comes back in DER, with the lower s", async () => {
  const lines = [
    `=> 55020000 14 ${cosmosPath}\n<= 9000`,
    `=> 55020100 fa ${"61".repeat(250)}\n<= 9000`,
    // r has a leading zero byte in DER, and s is the order less 1.
    `=> 55020200 05 ${"61".repeat(5)}\n<= 3046 0221 00${"fe".repeat(32)} 0221 00fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140 9000\n`,
  ].join("\n");
  const document = Buffer.from("a".repeat(255));
  const signature = await exchange("cosmos", lines, (device, path) => signCosmosDocument(device, path, document));
  expect(Buffer.from(signature).toString("hex")).toBe(`${"fe".repeat(32)}${"00".repeat(31)}01`);
});
