import { describe, expect, it } from "vitest";
import { stage, u64Max } from "../stage.ts";
import { exitStatusOf } from "./errorCodes.ts";
import { InputError } from "./inputError.ts";
import { BroadcastError, NodeError, VipError } from "./vipError.ts";

describe("VipError", () => {
  it("joins the parts of its message and keeps them", () => {
    const cause = new Error("socket closed");
    const error = new NodeError("no answer", {
      code: "NODE_UNREACHABLE",
      metaMessages: ["Try again."],
      details: "ECONNRESET",
      cause,
    });
    expect(error.message).toBe("no answer\nTry again.");
    expect(error).toMatchObject({
      code: "NODE_UNREACHABLE",
      shortMessage: "no answer",
      details: "ECONNRESET",
      name: "NodeError",
    });
    expect(error.walk((one) => one === cause)).toBe(cause);
    expect(error.walk((one) => one === error)).toBe(error);
    expect(error.walk(() => false)).toBeUndefined();
  });

  it("is recognized by its brand, also across copies of the package", () => {
    expect(VipError.isVipError(new InputError("no"))).toBe(true);
    expect(VipError.isVipError({ [Symbol.for("vipscore.VipError")]: true })).toBe(true);
    expect(VipError.isVipError(new Error("no"))).toBe(false);
    expect(VipError.isVipError(null)).toBe(false);
  });

  it("ends a walk through causes that go in a circle", () => {
    const first = new Error("first");
    first.cause = new Error("second", { cause: first });
    expect(new VipError("no", { code: "NODE_ERROR", cause: first }).walk(() => false)).toBeUndefined();
  });

  it("maps every category to its exit status", () => {
    expect(exitStatusOf(new InputError("no").code)).toBe(2);
    expect(exitStatusOf(new BroadcastError("no", { refusal: "funds" }).code)).toBe(3);
    expect(exitStatusOf(new BroadcastError("no", { refusal: "other" }).code)).toBe(4);
    expect(exitStatusOf("INTERRUPTED")).toBe(130);
  });
});

describe("stage", () => {
  it.each([1n, 12, "12", "9007199254740993", u64Max])("takes %s", (value) => {
    expect(stage(value)).toBe(BigInt(value));
  });

  it.each([0n, 0, "0", "000"])("refuses %s as stage zero", (value) => {
    expect(() => stage(value)).toThrow(expect.objectContaining({ code: "STAGE_ZERO" }) as Error);
  });

  it.each([-1, 1.5, 2 ** 53, "", " 1", "1e3", "0x1", "12n", u64Max + 1n, "99999999999999999999999"])(
    "refuses %s",
    (value) => {
      expect(() => stage(value)).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }) as Error);
    },
  );
});
