import { createRequire } from "node:module";
import { InputError } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import { ModuleBinaryError } from "@vipscore/move";
import { publishedCode, type ContractCode } from "../contractCode.ts";
import type { Construction } from "./construction.ts";
import { readMoveModule, type MoveFunction, type MoveModule } from "./moveModule.ts";

/** Instructions with which a function gets hold of what it can write; `&` stands for the operand. */
const accesses: Readonly<Record<number, string>> = {
  0x0f: "borrows & mutably",
  0x12: "makes a &",
  0x13: "takes a & apart",
  0x2a: "borrows & mutably",
  0x2c: "removes &",
  0x2d: "stores a &",
};
const callOpcodes = new Set([0x11, 0x38]);

/**
 * Compares a scoring module with vipscore's own, function by function. Move's verifier, which every chain runs, lets only functions
 * of the module borrow, make or take apart its structs. So if each function that can write the state of scores is ours, nothing
 * else writes it.
 */
export async function checkMoveSources({ bytes, others = [] }: ContractCode): Promise<Construction> {
  const ours = readMoveModule((await publishedCode("move")).bytes);
  const [theirs, ...otherModules] = [bytes, ...others].map(readable) as [MoveModule, ...MoveModule[]];
  const state = stateOf(ours);
  const isOurs = ([name, { text }]: readonly [string, MoveFunction]): boolean =>
    ours.functions.get(name)?.text === text;
  const same = [...theirs.functions].filter(isOurs);
  const writersOfOurs = writersIn(ours, state);
  if (theirs.name !== ours.name || !same.some(([name]) => writersOfOurs.has(name))) {
    throw new InputError(`the module ${theirs.name} has no function that writes scores as vipscore's module does`, {
      metaMessages: ["Nothing follows from the code of another contract, but scenarios can test it."],
    });
  }
  const writers = writersIn(theirs, state);
  const differing = [...theirs.functions].filter((one) => !isOurs(one)).map(([name]) => name);
  const label = (name: string): string => `${shortOf(name)}: ${ours.functions.has(name) ? "changed" : "new"}`;
  const changed = [...state].filter((name) => theirs.structs.get(name)?.text !== ours.structs.get(name)?.text);
  // Instructions of a struct that became an enum or generic are not followed.
  const reasonsOf = (name: string) => writers.get(name) ?? (changed.length === 0 ? [] : ["may use a changed struct"]);
  const toRead = [
    ...changed.map((name) => `struct ${shortOf(name)}: changed`),
    ...differing.flatMap((name) => {
      const reasons = reasonsOf(name);
      return reasons.length === 0 ? [] : [`${label(name)}, ${reasons.join(", ")}`];
    }),
  ];
  const harmless = differing.filter((name) => reasonsOf(name).length === 0).map(label);
  const { friends } = theirs;
  const { version } = createRequire(import.meta.url)("@vipscore/move/package.json") as { readonly version: string };
  const restsOn = [
    `${count(same.length, "function")} of ${theirs.name} equal those of @vipscore/move ${version}, instruction by instruction`,
    harmless.length === 0
      ? "it has no other function that writes the state"
      : `no function of these gets hold of the state to write it, or calls a private one that does: ${harmless.join("; ")}`,
    `friends, which can call only what it makes for them: ${friends.length === 0 ? "none" : friends.join(", ")}`,
    ...otherModules.map(({ name }) => `module ${name}: cannot reach the state, by Move's verifier`),
  ];
  return { holds: toRead.length === 0, restsOn, toRead };
}

function readable(code: Buffer): MoveModule {
  try {
    return readMoveModule(code);
  } catch (cause) {
    // Types nested too deep exceed the stack.
    if (!(cause instanceof ModuleBinaryError || cause instanceof RangeError)) throw cause;
    throw new InputError(`a module cannot be read: ${cause.message}`, { cause });
  }
}

/** The structs that hold the scores and who may write them: the resources, and the structs in them. */
function stateOf({ structs }: MoveModule): ReadonlySet<string> {
  const state = new Set([...structs].flatMap(([name, { hasKey }]) => (hasKey ? [name] : [])));
  for (const holder of state) {
    const { text = "" } = structs.get(holder) ?? {};
    for (const name of structs.keys()) if (mentions(text, name)) state.add(name);
  }
  return state;
}

/** Returns the functions that can write the state, each with the reasons. */
function writersIn(module: MoveModule, state: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const named = (text: string): boolean => [...state].some((name) => mentions(text, name));
  const writers = new Map<string, readonly string[]>();
  for (const [name, { parameters, instructions }] of module.functions) {
    const taken = parameters.filter((type) => !/^&(?!mut )/.test(type) && named(type));
    const reasons = [
      ...taken.map((type) => `takes a ${type}`),
      ...instructions.flatMap(({ opcode, operand }) => {
        const access = accesses[opcode];
        return access !== undefined && named(operand) ? [access.replace("&", operand)] : [];
      }),
    ];
    if (reasons.length > 0) writers.set(name, [...new Set(reasons.map((reason) => reason.replaceAll("Self::", "")))]);
  }
  // Public functions check who calls them and the stage; private ones leave that to their caller.
  for (let before = -1; before !== writers.size;) {
    before = writers.size;
    for (const [name, { instructions }] of module.functions) {
      const called = instructions.filter(({ opcode }) => callOpcodes.has(opcode)).map(({ operand }) => operand);
      const writing = called.map(withoutTypes).find((one) => module.functions.get(one)?.isPrivate && writers.has(one));
      if (writing === undefined || writers.has(name)) continue;
      writers.set(name, [`calls ${shortOf(writing)}, which writes`]);
    }
  }
  return writers;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![:\\w])${name}\\b`).test(text);
}

function withoutTypes(name: string): string {
  return name.replace(/<.*/, "");
}

function shortOf(name: string): string {
  return name.replace("Self::", "");
}
