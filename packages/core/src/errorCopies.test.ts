import { expect, test, vi } from "vitest";

// An optional package of the command may bring another copy of this one.
const load = async (): Promise<readonly ErrorClass[]> => {
  vi.resetModules();
  const modules = await Promise.all([import("./index.ts"), import("./wire.ts"), import("./errors.ts")]);
  const values = modules.flatMap((loaded) => Object.values<unknown>({ ...loaded }));
  return [...new Set(values)].filter(isErrorClass).sort((one, other) => (one.name < other.name ? -1 : 1));
};

type ErrorClass = (abstract new () => Error) & { readonly name: string; readonly className: string };

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === "function" && value.prototype instanceof Error;
}

const [ours, others] = [await load(), await load()];

test("every error class names itself", () => {
  expect(ours.length).toBeGreaterThan(10);
  for (const type of ours) {
    expect(type.name).toBe(type.className);
    expect(Object.hasOwn(type, "className")).toBe(true);
  }
});

test.each(ours.map((type) => [type.className, type] as const))(
  "an error of another copy is an instance of %s exactly where one of this copy is",
  (_, type) => {
    for (const [index, other] of others.entries()) {
      // Without its constructor, which takes other arguments in each class.
      const error = (from: ErrorClass | undefined): object => {
        const made = Object.create((from?.prototype ?? null) as object) as object;
        return Object.defineProperty(made, Symbol.for("vipscore.VipError"), { value: true });
      };
      expect(other).not.toBe(ours[index]);
      expect(error(other) instanceof type).toBe(error(ours[index]) instanceof type);
    }
  },
);

test("a class without a name knows only its own instances", async () => {
  const { VipError } = await import("./errors.ts");
  class Refused extends VipError {}
  const options = { code: "ACTION_REQUIRED" } as const;
  expect(new VipError("no", options) instanceof Refused).toBe(false);
  expect(new Refused("no", options) instanceof Refused).toBe(true);
});
