import { expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { SoftwareDevice, type SoftwareDeviceOptions } from "@vipscore/testkit/softwareDevice";
import { started } from "@vipscore/testkit/started";
import { addressOf, allOutput, csvOf, startTestChain, type CliOptions } from "./harness.ts";

const { deployer, operator } = testAccounts;

/** Instructions of the Ethereum app. */
const ethereum = { getAddress: 0x02, signTransaction: 0x04 };

const chain = started(() => startTestChain());

/** A device with the operator's key, and the options of a command that finds it. */
function plugIn(more: Partial<SoftwareDeviceOptions> = {}): { device: SoftwareDevice; options: CliOptions } {
  const device = new SoftwareDevice({ app: "ethereum", key: { privateKey: operator.privateKey }, ...more });
  return { device, options: { openDevice: () => device.open() } };
}

test("a contract is deployed, filled, handed over and finalized by the device", async () => {
  const { device, options } = plugIn();
  const deployed = await chain.ok(["deploy", "--init-stage", "1", "--ledger"], options);
  expect(deployed).toMatchObject({ owner: operator.address.toLowerCase() });
  await chain.write("scores.csv", csvOf(400));
  const pushed = await chain.cli(["push", "scores.csv", "--stage", "1", "--ledger"], options);
  expect(pushed.status).toBe(0);
  expect(pushed.stderr).toContain(`${operator.address}  (--ledger)`);
  const { address } = deployed["contract"] as { readonly address: string };
  const lines = pushed.stderr.split("\n");
  const about = (...values: readonly string[]) => lines.filter((line) => values.every((value) => line.includes(value)));
  // The account to compare, the number of signatures to expect, and the call of each.
  expect(about(operator.address).filter((line) => !line.includes("(--ledger)"))).toHaveLength(1);
  const [expected = ""] = about("vipscore members finalizer");
  const [signatures] = /\b\d+\b/.exec(expected) ?? [];
  expect(about(address, "31337")).toHaveLength(Number(signatures));
  expect(["2", "3"]).toContain(signatures);
  await chain.ok(["members", "add", deployer.address, "--ledger"], options);
  await chain.ok(["members", "finalizer", operator.address, "--ledger"], options);
  await chain.ok(["owner", "offer", deployer.address, "--ledger"], options);
  const finalized = await chain.ok(
    ["finalize", "--stage", "1", "--file", "scores.csv", "--yes", "--ledger", "ethereum"],
    options,
  );
  expect(finalized).toMatchObject({ verification: { agrees: true, accounts: 400 } });
  // The person compares the address once in each command, before the first signature.
  const shown = device.received.filter(({ ins, p1 }) => ins === ethereum.getAddress && p1 === 1);
  expect(shown).toHaveLength(6);
  expect(device.signed.length).toBeGreaterThanOrEqual(7);
});

test("the device signs even if a key is in the environment", async () => {
  const { options } = plugIn();
  await chain.deploy();
  const env = { PRIVATE_KEY: deployer.privateKey };
  const result = await chain.cli(["members", "add", addressOf(5), "--ledger", "--json"], { ...options, env });
  expect(result.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(result.stderr).toContain(operator.address);
});

test("another path is another account", async () => {
  const hardened = 0x8000_0000;
  const path = [44 + hardened, 60 + hardened, 3 + hardened, 0, 7];
  const { device, options } = plugIn({ path });
  const args = ["members", "add", addressOf(6), "--ledger", "--path", "m/44'/60'/3'/0/7"];
  const result = await chain.cli([...args, "--json"], options);
  expect(result.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(device.received).toHaveLength(2);
});

test.each([
  ["locked", 0x5515, "DEVICE_LOCKED", 2],
  ["locked, old firmware", 0x6982, "DEVICE_LOCKED", 2],
  ["the dashboard", 0x6e01, "DEVICE_WRONG_APP", 2],
  ["another app", 0x6d00, "DEVICE_WRONG_APP", 2],
  ["an unknown status", 0x6f00, "DEVICE_FAILED", 2],
  ["a refused address", 0x6985, "DEVICE_REFUSED", 3],
])("%s (%i): %s", async (_name, word, code, exit) => {
  const { options } = plugIn({ refuse: () => word });
  const result = await chain.cli(["members", "add", addressOf(7), "--ledger", "--json"], options);
  expect(result.json()["error"]).toMatchObject({ code, exit });
  expect(result.status).toBe(exit);
});

test("the Cosmos app is open instead of the Ethereum app", async () => {
  const { options } = plugIn({ app: "cosmos" });
  const result = await chain.cli(["members", "add", addressOf(7), "--ledger", "--json"], options);
  expect(result.json()["error"]).toMatchObject({ code: "DEVICE_WRONG_APP" });
});

test("a refused batch ends the push; the next run writes the rest", async () => {
  await chain.deploy(1, ["--member", operator.address]);
  await chain.write("rows.csv", csvOf(400));
  let signatures = 0;
  const refuse: SoftwareDeviceOptions["refuse"] = ({ ins, p1 }) => {
    if (ins === ethereum.signTransaction && p1 === 0) signatures += 1;
    return signatures === 2 ? 0x6985 : undefined;
  };
  const { options } = plugIn({ refuse });
  const sent = await chain.transactionsSent();
  const refused = await chain.cli(["push", "rows.csv", "--stage", "1", "--ledger", "--json"], options);
  expect(refused.json()["error"]).toMatchObject({ code: "DEVICE_REFUSED", exit: 3 });
  expect(await chain.transactionsSent()).toBe(sent + 1);
  const rest = await chain.ok(["push", "rows.csv", "--stage", "1", "--ledger"], plugIn().options);
  expect(rest).toMatchObject({ verification: { agrees: true, accounts: 400 } });
});

test("blind signing is off: nothing is signed", async () => {
  const { device, options } = plugIn({ key: { privateKey: deployer.privateKey }, blindSigning: false });
  const result = await chain.cli(["members", "add", addressOf(8), "--ledger", "--json"], options);
  expect(result.json()["error"]).toMatchObject({ code: "DEVICE_FAILED" });
  // The setting's name on the device.
  expect(result.stderr).toContain("Blind signing");
  expect(device.signed).toHaveLength(0);
});

test("a device that signs with another key is noticed before anything is sent", async () => {
  const { device, options } = plugIn({ key: { privateKey: deployer.privateKey } });
  const other = new SoftwareDevice({ app: "ethereum", key: { privateKey: operator.privateKey } });
  const transport = await device.open();
  const swapped = await other.open();
  const isSigning = (ins: number): boolean => ins === ethereum.signTransaction;
  const sent = await chain.transactionsSent();
  const result = await chain.cli(["members", "add", addressOf(8), "--ledger", "--json"], {
    ...options,
    openDevice: () =>
      Promise.resolve({
        send: (cla, ins, p1, p2, data) => (isSigning(ins) ? swapped : transport).send(cla, ins, p1, p2, data),
        close: () => transport.close(),
      }),
  });
  expect(result.json()["error"]).toMatchObject({ code: "DEVICE_FAILED" });
  expect(await chain.transactionsSent()).toBe(sent);
});

test("without the package of the USB transport the message says what to install", async () => {
  const result = await chain.cli(["members", "add", addressOf(9), "--ledger", "--json"]);
  expect(result.json()["error"]).toMatchObject({ code: "DEVICE_MISSING", exit: 2 });
  expect(result.stderr).toContain("npm install @ledgerhq/hw-transport-node-hid-noevents");
});

test("an unplugged device is missing", async () => {
  const gone = Object.assign(new Error("Cannot write to hid device"), { name: "DisconnectedDeviceDuringOperation" });
  const send = (): Promise<Buffer> => Promise.reject(gone);
  const openDevice = () => Promise.resolve({ send, close: () => Promise.reject(gone) });
  const result = await chain.cli(["members", "add", addressOf(9), "--ledger", "--json"], { openDevice });
  expect(result.json()["error"]).toMatchObject({ code: "DEVICE_MISSING" });
});

test("an interrupt ends a command whose device still waits for the person", async () => {
  const interruption = new AbortController();
  const openDevice = () =>
    Promise.resolve({
      send: () => {
        interruption.abort();
        return new Promise<never>(() => undefined);
      },
      close: () => new Promise<never>(() => undefined),
    });
  const args = ["members", "add", addressOf(9), "--ledger", "--json"];
  const result = await chain.cli(args, { openDevice, signal: interruption.signal });
  expect(result.status).toBe(130);
});

test("the device is closed when the command ends", async () => {
  const { device, options } = plugIn();
  const transport = await device.open();
  let closed = 0;
  const close = (): Promise<void> => Promise.resolve(void (closed += 1));
  const openDevice = () => Promise.resolve({ send: transport.send.bind(transport), close });
  await chain.cli(["members", "add", addressOf(9), "--ledger"], { ...options, openDevice });
  expect(closed).toBe(1);
});

test.each([
  ["--ledger with --keystore", ["--ledger", "--keystore", "key.json"], ["--ledger", "--keystore"]],
  ["--path without --ledger", ["--path", "m/44'/60'/0'/0/0"], ["--path", "--ledger"]],
  ["the Cosmos app on EVM", ["--ledger", "cosmos"], ["--ledger ethereum"]],
  ["a path of another coin", ["--ledger", "--path", "m/44'/118'/0'/0/0"], ["m/44'/118'/0'/0/0", "m/44'/60'/0'/0/0"]],
  ["not a path", ["--ledger", "--path", "44/60"], ['"44/60"', "m/44'/60'/0'/0/0"]],
  ["another app", ["--ledger", "bitcoin"], ["'bitcoin'", "ethereum", "cosmos"]],
])("%s is refused", async (_name, args, named) => {
  const { device, options } = plugIn();
  const result = await chain.cli(["members", "add", addressOf(9), ...args, "--json"], options);
  expect(result.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  for (const value of named) expect(result.stderr).toContain(value);
  expect(device.received).toHaveLength(0);
});

test("no output shows a key", () => {
  for (const { privateKey } of [deployer, operator]) expect(allOutput.join("\n")).not.toContain(privateKey.slice(2));
});
