import { expect, test } from "vitest";
import * as inBrowser from "./inBrowser.ts";
import * as inNode from "./index.ts";

test("a page that imports a name of the package builds, and learns what to import when it calls it", () => {
  expect(Object.keys(inBrowser).sort()).toEqual(Object.keys(inNode).sort());
  expect(() => inBrowser.connectEvm()).toThrow(/@vipscore\/contracts-evm\/abi/);
});
