import { expect, test } from "vitest";
import { absentIf } from "./restErrors.ts";

test("an error that means absence returns undefined, any other error is thrown", async () => {
  const absence = new Error("not there");
  const isAbsence = (error: unknown): boolean => error === absence;
  expect(await absentIf(isAbsence, Promise.resolve(0n))).toBe(0n);
  expect(await absentIf(isAbsence, Promise.reject(absence))).toBeUndefined();
  await expect(absentIf(isAbsence, Promise.reject(new Error("busy")))).rejects.toThrow("busy");
});
