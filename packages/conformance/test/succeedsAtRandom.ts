import type { Subject } from "../src/index.ts";
import { accountOf } from "../src/scenarios/expectations.ts";
import { randomValues } from "../src/seededRandom.ts";

/** Calls an entry point of a contract whose first stage is open until a call succeeds. */
export async function succeedsAtRandom(subject: Subject, name: string): Promise<boolean> {
  const contract = await subject.deploy();
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const values = randomValues(`${name} ${attempt}`, {
      stages: [1n],
      accounts: [accountOf(0), accountOf(1)],
      numbers: [],
    });
    if ((await contract.callAtRandom("creator", name, values)).outcome === "DONE") return true;
  }
  return false;
}
