import { expect, test } from "vitest";
import { startGuarded } from "../src/startGuarded.ts";

test("a guarded program does not receive secrets", async () => {
  process.env["VIPSCORE_TEST_PASSWORD"] = "hunter2";
  const program = startGuarded(
    process.execPath,
    ["-e", "console.log('environment ' + JSON.stringify(process.env)); setInterval(() => {}, 1000)"],
    /^environment (.*)$/m,
  );
  const [, environment = ""] = await program.ready;
  await program.stop();
  delete process.env["VIPSCORE_TEST_PASSWORD"];
  expect(JSON.parse(environment)).toHaveProperty("PATH");
  expect(environment).not.toContain("hunter2");
});
