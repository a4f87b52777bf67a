import { beforeAll, describe, expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { SoftwareDevice, type SoftwareDeviceOptions } from "@vipscore/testkit/softwareDevice";
import { started } from "@vipscore/testkit/started";
import { addressOf, csvOf, openTestFolder, type CliOptions } from "./harness.ts";

const { operator } = testAccounts;

describe.each(["move", "wasm"] as const)("a hardware wallet on %s", (vm) => {
  const folder = started(async () => openTestFolder(await startVipnode({ vm })));
  beforeAll(() => folder.deploy());

  /** A device with the operator's key, and the options of a command that finds it. */
  function plugIn(app: SoftwareDeviceOptions["app"], more: Partial<SoftwareDeviceOptions> = {}) {
    const device = new SoftwareDevice({ app, key: { mnemonic: operator.mnemonic }, ...more });
    const options: CliOptions = { openDevice: () => device.open() };
    return { device, options };
  }

  /** The device's account, as a chain without its signature knows it. */
  async function accountOf(app: SoftwareDeviceOptions["app"]): Promise<string> {
    const env = { MNEMONIC: operator.mnemonic, COIN_TYPE: app === "ethereum" ? "60" : "118" };
    const { signer } = await folder.ok(["status"], { env });
    return (signer as { readonly account: string }).account;
  }

  test.each([
    ["ethereum", "1"],
    ["cosmos", "2"],
  ] as const)("the %s app accepts ownership, writes scores and finalizes", async (app, stage) => {
    const { device, options } = plugIn(app);
    const account = await accountOf(app);
    await folder.ok(["members", "add", account]);
    // A document holds fewer rows than a transaction, so this takes several.
    await folder.write("scores.csv", csvOf(400));
    const pushed = await folder.cli(["push", "scores.csv", "--stage", stage, "--packed", "--ledger", app], options);
    expect(pushed.status).toBe(0);
    // The account as the device shows it, and as the chain spells it.
    expect(pushed.stderr).toMatch(/\b(0x|cosmos1)\w{38,40}\b.*\binit1\w{38}\b/);
    const [, signatures] = /^warning .*?\b(\d+)\b.*vipscore members finalizer/m.exec(pushed.stderr) ?? [];
    expect(device.signed).toHaveLength(Number(signatures));
    expect(device.signed.length).toBeGreaterThan(1);
    const largest = Math.max(...device.signed.map(({ length }) => length));
    expect(largest).toBeGreaterThan(3_000);
    expect(largest).toBeLessThanOrEqual(app === "ethereum" ? 7_500 : 15_000);
    await folder.ok(["members", "finalizer", account]);
    const finalize = ["finalize", "--stage", stage, "--file", "scores.csv", "--yes", "--ledger", app];
    expect(await folder.ok(finalize, options)).toMatchObject({ verification: { agrees: true, accounts: 400 } });
    await folder.ok(["members", "finalizer", "any"]);
    await folder.ok(["owner", "offer", account]);
    expect(await folder.ok(["owner", "accept", "--ledger", app], options)).toMatchObject({ account });
    const deployer = testAccounts.deployer.address;
    await folder.ok(["owner", "offer", deployer, "--ledger", app], options);
    await folder.ok(["owner", "accept"]);
  });

  test("each app reports a refusal of the person with its own status", async () => {
    await folder.write("one.csv", csvOf(1));
    for (const [app, word, signing] of [
      ["ethereum", 0x6985, 0x08],
      ["cosmos", 0x6986, 0x02],
    ] as const) {
      const { options } = plugIn(app, { refuse: ({ ins }) => (ins === signing ? word : undefined) });
      const result = await folder.cli(["push", "one.csv", "--stage", "3", "--ledger", app, "--json"], options);
      expect(result.json()["error"]).toMatchObject({ code: "DEVICE_REFUSED", exit: 3 });
    }
    // In the Ethereum app this status has another meaning.
    const { options } = plugIn("ethereum", { refuse: () => 0x6986 });
    const result = await folder.cli(["push", "one.csv", "--stage", "3", "--ledger", "--json"], options);
    expect(result.json()["error"]).toMatchObject({ code: "DEVICE_FAILED", exit: 2 });
  });

  test("a number above 2^53, which the chain rounds in the text to sign, is finalized by a device", async () => {
    const { options } = plugIn("ethereum");
    await folder.write("large.csv", `address,score\n${addressOf(1)},18446744073709551615\n`);
    await folder.ok(["push", "large.csv", "--stage", "3"]);
    await folder.ok(["members", "finalizer", operator.address]);
    const args = ["finalize", "--stage", "3", "--file", "large.csv", "--yes", "--ledger"];
    expect(await folder.ok(args, options)).toMatchObject({ verification: { agrees: true } });
  });

  test("a contract's code is too large for a device, which is not asked", async () => {
    const { device, options } = plugIn("ethereum");
    const result = await folder.cli(["deploy", "--init-stage", "1", "--ledger", "--json"], options);
    expect(result.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
    expect(result.stderr).toContain("vipscore owner accept --ledger");
    expect(device.received).toHaveLength(0);
  });
});
