import type { ReadOptions } from "@vipscore/core";
import { moduleName, type ModuleReader } from "./moduleStore.ts";
import { readText, unreadable } from "./readField.ts";
import { RestError } from "@vipscore/core/http";

const viewPath = "/initia/move/v1/view";

/**
 * Calls a view of the module at a height (the newest when absent). Gives the JSON value that it returns, with integers
 * of 64 bits as texts.
 *
 * @throws RestError when the view aborts or does not exist; NodeError.
 */
export async function callView(
  reader: ModuleReader,
  functionName: string,
  args: readonly Buffer[],
  options: ReadOptions = {},
): Promise<unknown> {
  const { rest, address } = reader;
  const body = {
    address,
    module_name: moduleName,
    function_name: functionName,
    type_args: [],
    args: args.map((arg) => arg.toString("base64")),
  };
  const source = { rest, path: `${viewPath} ${functionName}` };
  const data = readText(source, await rest.query(viewPath, body, options), "data");
  try {
    return JSON.parse(data);
  } catch {
    return unreadable(source, "value", data);
  }
}

/** {@link callView}; undefined where the module has no such view or the view aborts. */
export async function findView(
  reader: ModuleReader,
  functionName: string,
  args: readonly Buffer[],
  options: ReadOptions = {},
): Promise<unknown> {
  try {
    return await callView(reader, functionName, args, options);
  } catch (error) {
    if (error instanceof RestError && /VM (error|failure|aborted)/.test(error.details ?? "")) return undefined;
    throw error;
  }
}
