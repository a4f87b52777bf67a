import { expect, test } from "vitest";
import { startVipnode, testAccounts } from "@vipscore/localnet";
import { csvOf, openTestFolder, type JsonObject } from "./harness.ts";

test.each(["move", "wasm"] as const)(
  "a signer that the chain does not know is named, with what to do, on %s",
  async (vm) => {
    await using folder = await openTestFolder(await startVipnode({ vm }));
    const unknown = "init1r8n7xah8cgfm0el8u3kvwzja6zrd4le2juuk8h";
    await folder.ok(["deploy", "--init-stage", "1", "--member", unknown]);
    await folder.ok(["owner", "offer", unknown]);
    await folder.write("two.csv", csvOf(2));
    const env = { PRIVATE_KEY: `0x${"1".repeat(64)}` };
    for (const args of [
      ["push", "two.csv", "--stage", "1"],
      ["owner", "accept"],
    ]) {
      const { error } = (await folder.cli([...args, "--json"], { env })).json() as { readonly error: JsonObject };
      expect(error).toMatchObject({ code: "INSUFFICIENT_FUNDS", hints: [expect.stringMatching(/\bsend it\b/)] });
      expect(error["message"]).toContain(`${unknown} (0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A)`);
    }
    // The other account of the node is funded.
    await folder.ok(["owner", "offer", testAccounts.operator.address]);
    await folder.ok(["owner", "accept"], { env: { PRIVATE_KEY: testAccounts.operator.privateKey } });
  },
);
