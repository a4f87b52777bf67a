// Whatever is in the folder of a stranger's policy, it is read or refused with a code.
import { expect, test } from "vitest";
import { fuzzReader } from "@vipscore/testkit/fuzzReader";
import { readPolicy } from "../src/index.ts";
import { alice, bobBech32, openPolicyFolder, pointsPolicy } from "./policyFolder.ts";

const start = `name = "trades"\nversion = "1"\n[rollup]\nchain_id = "rollup-1"\n[window]\nblocks = [1, 9]\n`;
const events = `${start}[[source]]
name = "trades"
kind = "evm_events"
contracts = ["${alice}"]
event = "event Trade(address indexed trader, (uint256 amount, bytes32[2] id)[] fills)"
`;
const moveEvents = `${start}[[source]]
name = "trades"
kind = "move_events"
type = "0x1::dex::Swap<0x1::coin::Coin<u64>, vector<u8>>"
columns = { trader = "address", amount = "integer" }
`;

test("policy.toml", async () => {
  const read = async (text: string): Promise<void> => {
    await using folder = await openPolicyFolder({ "policy.toml": text });
    await readPolicy(folder.path);
  };
  expect(await fuzzReader([pointsPolicy["policy.toml"], events, moveEvents], read)).toBeGreaterThan(0);
});

test("the accounts that a policy leaves out", async () => {
  const toml = `exclude = "exclude.csv"\n${pointsPolicy["policy.toml"]}`;
  const read = async (text: string): Promise<void> => {
    await using folder = await openPolicyFolder({ "policy.toml": toml, "exclude.csv": text });
    await readPolicy(folder.path);
  };
  expect(await fuzzReader([`address\n${alice}\n${bobBech32}\n`], read)).toBeGreaterThan(0);
});
