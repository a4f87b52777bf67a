import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { compileModule, contractsFolder } from "../scripts/compileModule.ts";
import { placeholder } from "./placeholder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Our module and one with the reference's shape, freshly compiled for the placeholder address; base64. */
    readonly modules: { readonly ours: string; readonly reference: string };
  }
}

/** Compiles the modules once for all test files, so that tests never run against a stale build. */
export default async function compileFixtures(project: TestProject): Promise<void> {
  const [ours, reference] = await Promise.all([
    compileModule(placeholder),
    compileModule(placeholder, join(contractsFolder, "test/reference_shape")),
  ]);
  project.provide("modules", { ours: ours.code.toString("base64"), reference: reference.code.toString("base64") });
}
