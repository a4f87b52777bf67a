import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "@vipscore/core";

/** A JSON schema, the parts of it that schemas of CosmWasm messages use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** One schema for all elements, or one for each. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** Folders above a module in which its schema may be: cargo writes modules to target/wasm32-unknown-unknown/release. */
const foldersAbove = 4;

/**
 * Reads the schema of a module's messages: `schema/my-contract.json`, as `cargo schema` writes it, in the folder of `my_contract.wasm`
 * or in one above. Undefined if there is none.
 *
 * @throws InputError for a file that is not such a schema.
 */
export async function readMessageSchema(file: string): Promise<JsonSchema | undefined> {
  const name = basename(file, ".wasm");
  let folder = dirname(resolve(file));
  for (let above = 0; above < foldersAbove; above += 1) {
    for (const schema of [`${name}.json`, `${name.replaceAll("_", "-")}.json`]) {
      const path = join(folder, "schema", schema);
      const text = await readFile(path, "utf8").catch(() => undefined);
      if (text !== undefined) return executeOf(path, text);
    }
    folder = dirname(folder);
  }
  return undefined;
}

function executeOf(path: string, text: string): JsonSchema {
  try {
    const { execute } = JSON.parse(text) as { readonly execute?: JsonSchema | null };
    if (typeof execute !== "object" || execute === null) throw new TypeError("no messages");
    return execute;
  } catch (cause) {
    throw new InputError(`${path} is not the schema of a contract's messages`, {
      metaMessages: ["Write it with `cargo schema`."],
      cause,
    });
  }
}
