import { expect, test } from "vitest";
import { bridgeAddress } from "./serveBridgeInfo.ts";

// The account of bridge 1 on a real L1 (`initiad` v1.4.6).
test("the account of a bridge depends on its ID alone", () => {
  expect(bridgeAddress(1n)).toBe("init1raxlej4cyxhwd4mxstcycpj7lwpzmsyfjn29nhaycv3djr8gfv0qjyregt");
  expect(bridgeAddress(2n ** 64n - 1n)).not.toBe(bridgeAddress(1n));
});
