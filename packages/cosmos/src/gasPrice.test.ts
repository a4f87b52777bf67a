import { expect, test } from "vitest";
import { feeOf, highestGasPrice, parseGasPrice, parseGasPrices } from "./gasPrice.ts";

test("prices are read exactly", () => {
  expect(parseGasPrice("0.015umin")).toEqual({ denom: "umin", amount: 15n, per: 1000n });
  expect(parseGasPrice(" 2l2/5eb0c0 ")).toEqual({ denom: "l2/5eb0c0", amount: 2n, per: 1n });
  expect(parseGasPrices("0.150000000000000000umin,0uinit")).toEqual([
    { denom: "umin", amount: 150_000_000_000_000_000n, per: 10n ** 18n },
    { denom: "uinit", amount: 0n, per: 1n },
  ]);
  expect(parseGasPrices("")).toEqual([]);
});

test.each(["", "umin", "0.015", "-1umin", ".5umin", "0.015umin,1uinit", "1 umin"])(
  "the setting %j is refused",
  (text) => {
    expect(() => parseGasPrice(text)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  },
);

test("a fee is rounded up", () => {
  const price = parseGasPrice("0.015umin");
  expect(feeOf(price, 100_000n)).toBe(1500n);
  expect(feeOf(price, 100_001n)).toBe(1501n);
  expect(feeOf(price, 0n)).toBe(0n);
});

test("of several prices, the highest in the denomination of the first that is not zero counts", () => {
  const prices = (text: string) => parseGasPrices(text) ?? [];
  expect(highestGasPrice(prices("0uinit,0.15umin,0.2umin,9uinit"))).toEqual(parseGasPrice("0.2umin"));
  expect(highestGasPrice(prices("0.15umin,0.149umin"))).toEqual(parseGasPrice("0.15umin"));
  expect(highestGasPrice(prices("0umin"))).toBeUndefined();
});
