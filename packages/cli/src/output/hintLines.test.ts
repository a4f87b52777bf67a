import { expect, test } from "vitest";
import { CheckError, parseAccount, type Hint, type Vm } from "@vipscore/core";
import { hintLines } from "./hintLines.ts";

const owner = parseAccount("0x8cad25ec80a10522c258e2f59abf0006c9445d1b", { accountBytes: [20] });
const account = parseAccount("0x1d8e31d5071bb4072fffc05b792685dcc5085bde", { accountBytes: [20] });
const text = "worded by core";

function worded(hint: Hint): string {
  const [line = "", last] = hintLines(
    new CheckError("refused", { code: "PERMISSION_DENIED", metaMessages: [hint, "last"] }),
  );
  expect(last).toBe("last");
  return line;
}

test.each([
  [{ code: "add-member", account, text }, `vipscore members add ${account}`],
  [{ code: "name-finalizer", owner, text }, "vipscore members finalizer <address>"],
  [{ code: "offer-ownership", owner, account, text }, `vipscore owner offer ${account}`],
  [{ code: "complete-upgrade", text }, "vipscore deploy --upgrade"],
  [{ code: "set-first-stage", text }, "vipscore deploy"],
  [{ code: "replace-reference-contract", vm: "evm", text }, "vipscore deploy --from <address>"],
  [{ code: "replace-reference-contract", vm: "move", text }, "vipscore deploy --upgrade"],
  [{ code: "replace-reference-contract", vm: "wasm", text }, "vipscore deploy --upgrade"],
] as const)("names the command for %j", (hint, command) => {
  expect(worded(hint)).toContain(command);
});

test("names who manages members: on Move the publisher, whose address is the contract's", () => {
  const ask = (vm: Vm, of?: typeof owner): string =>
    worded({ code: "ask-manager", vm, address: account, owner: of, text });
  expect(ask("move", owner)).toMatch(new RegExp(`${owner}.*${account}`));
  for (const vm of ["evm", "wasm"] as const) {
    expect(ask(vm, owner)).toContain(owner);
    expect(ask(vm, owner)).not.toContain(account);
    expect(ask(vm)).not.toBe(ask("move"));
  }
});
