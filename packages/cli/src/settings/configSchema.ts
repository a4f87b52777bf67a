import { vms } from "@vipscore/core/values";
import { readGuard } from "./projectFiles.ts";
import { pagePattern, settings, type SettingFacts } from "./settings.ts";

/**
 * Returns the JSON Schema of the settings file, for editors. The command itself also refuses what looks like a secret.
 */
export function configSchema(): object {
  const typeOf = (name: string, kind: SettingFacts["kind"]): object => {
    if (name === "vm") return { enum: vms };
    if (kind === "page") return { type: "string", pattern: pagePattern.source };
    return { type: kind === "chainId" ? ["string", "integer"] : "string" };
  };
  const properties = Object.entries<SettingFacts>(settings).flatMap(([name, { inFile, kind, env, flag }]) => {
    if (inFile === undefined) return [];
    const others = [flag?.replace(/ .*/, ""), env].filter((other) => other !== undefined).join(" and ");
    const description = others === "" ? {} : { description: `Overridden by ${others}` };
    return [[name, { ...typeOf(name, kind), ...description }] as const];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of vipscore in a folder: vipscore.config.json",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(properties),
      guard: { ...readGuard.schema, description: "What `vipscore guard` compares the contract with" },
    },
    additionalProperties: false,
  };
}
