import { readFileSync, writeFileSync } from "node:fs";
import { runProgram } from "./runProgram.ts";

/**
 * Makes a program find its libraries beside itself instead of in `folder`, where it was linked with them: cgo writes that path
 * into the program, and no flag of the compiler removes it.
 *
 * @throws Error if the program does not name this folder.
 */
export function relocateProgram(program: string, folder: string): void {
  if (process.platform === "darwin") relocateMachO(program, folder);
  else relocateElf(program, folder);
}

/**
 * Overwrites the path in the string table of an ELF file, padded to its length.
 *
 * @throws Error if the file does not have exactly this path.
 */
export function relocateElf(program: string, folder: string): void {
  const bytes = readFileSync(program);
  const linked = Buffer.from(`\0${folder}\0`);
  const start = bytes.indexOf(linked);
  if (start < 0 || bytes.includes(linked, start + 1)) throw new Error(`${program} does not name ${folder} once`);
  const beside = Buffer.alloc(linked.length);
  beside.write("$ORIGIN", 1);
  beside.copy(bytes, start);
  writeFileSync(program, bytes);
}

/** A changed program needs a new signature, or macOS kills it. */
function relocateMachO(program: string, folder: string): void {
  runProgram("install_name_tool", ["-delete_rpath", folder, "-add_rpath", "@loader_path", program], ".");
  runProgram("codesign", ["--force", "--sign", "-", program], ".");
}
