import { expect, test } from "vitest";
import { parseAccount, VipError, type Hint, type Vm } from "@vipscore/core";
import { hintLines, wordedIssue } from "./reportError.ts";

const owner = parseAccount("0x8cad25ec80a10522c258e2f59abf0006c9445d1b", { accountBytes: [20] });
const account = parseAccount("0x1d8e31d5071bb4072fffc05b792685dcc5085bde", { accountBytes: [20] });
const text = "worded by core";

function worded(hint: Hint): string {
  const [line = "", last] = hintLines(
    new VipError("refused", { code: "PERMISSION_DENIED", metaMessages: [hint, "last"] }),
  );
  expect(last).toBe("last");
  return line;
}

test.each([
  [{ code: "add-member", account, text }, `vipscore members add ${account}`],
  [{ code: "name-finalizer", owner, text }, "vipscore members finalizer <address>"],
  [{ code: "offer-ownership", owner, account, text }, `vipscore owner offer ${account}`],
  [{ code: "complete-upgrade", text }, "vipscore deploy --upgrade"],
  [{ code: "free-port", text }, "--port 0"],
  [{ code: "upgrade", text }, "--upgrade"],
  [{ code: "set-first-stage", text }, "vipscore deploy"],
  [{ code: "replace-reference-contract", vm: "evm", text }, "vipscore deploy --from <address>"],
  [{ code: "replace-reference-contract", vm: "move", text }, "vipscore deploy --upgrade"],
  [{ code: "replace-reference-contract", vm: "wasm", text }, "vipscore deploy --upgrade"],
  [{ code: "extra-accounts", text }, "--prune"],
  [{ code: "scale", scale: 2, unit: "hundredths", text }, "--scale 2 to count in hundredths"],
  [{ code: "expedite", before: "noon", deposit: "1uinit", text }, "before noon: --expedited"],
  [{ code: "name-l1", chainId: "a-1", text }, "of a-1 with --l1-rest-url"],
  [{ code: "name-vip", known: "a and b", text }, "VIP_ADDRESS"],
] as const)("names the command for %j", (hint, command) => {
  expect(worded(hint)).toContain(command);
});

test("words the end of an issue's message", () => {
  const issue = { reason: "FILE_MALFORMED", file: "a.json", message: `odd; ${text}` } as const;
  const advice = "use --format jsonl for one value on each line";
  expect(wordedIssue(issue)).toEqual(issue);
  expect(wordedIssue({ ...issue, hint: { code: "use-jsonl", text } })).toEqual({ ...issue, message: `odd; ${advice}` });
});

test("names who manages members: on Move the publisher, whose address is the contract's", () => {
  const ask = (vm: Vm, of?: typeof owner): string =>
    worded({ code: "ask-manager", vm, address: account, owner: of, text });
  expect(ask("move", owner)).toMatch(new RegExp(`${owner}.*${account}`));
  expect(ask("move", account).split(account)).toHaveLength(2);
  for (const vm of ["evm", "wasm"] as const) {
    expect(ask(vm, owner)).toContain(owner);
    expect(ask(vm, owner)).not.toContain(account);
    expect(ask(vm)).not.toBe(ask("move"));
  }
});
