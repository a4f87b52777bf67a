import type { ReadOptions } from "@vipscore/core";
import { RestError, type ReadAnswer } from "@vipscore/core/wire";
import { moduleName, type ModuleReader } from "./moduleStore.ts";

/** A view of the module, and its BCS arguments. */
export interface ViewCall {
  readonly name: string;
  /** Default: none. */
  readonly args?: readonly Buffer[];
}

/**
 * Reads the JSON value that a view of the module returns at a height (default: the newest), with 64-bit integers as
 * strings.
 *
 * @throws RestError when the view aborts or does not exist; NodeError.
 */
export function readView<T>(
  { rest, address }: ModuleReader,
  { name, args = [] }: ViewCall,
  read: ReadAnswer<T>,
  options: ReadOptions,
): Promise<T> {
  const body = {
    address,
    module_name: moduleName,
    function_name: name,
    type_args: [],
    args: args.map((arg) => arg.toString("base64")),
  };
  return rest.query("/initia/move/v1/view", body, (answer) => read(answer.field("data").json()), options);
}

/** True if the VM did not complete a view: the module does not have it, or it aborted. */
export function isViewFailure(error: unknown): boolean {
  return error instanceof RestError && /VM (error|failure|aborted)/.test(error.details ?? "");
}
