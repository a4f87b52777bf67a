import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Account } from "@vipscore/core";
import { prepareVipnodes } from "@vipscore/localnet";
import type { RandomValues } from "../seededRandom.ts";
import { optionType, placeAddress, stringType, type MoveAbi, type ScriptFor } from "./moveCalls.ts";

const run = promisify(execFile);

type MoveFunction = MoveAbi["exposed_functions"][number];

/** Placeholder for the module's address in the compiled scripts; nothing else in them has these 32 bytes. */
const scriptPlaceholder = Buffer.from("conformance::address_placeholder", "ascii");

/** Of a package with the scripts; vipnode has this library built in. */
const manifest = `[package]
name = "scripts"
version = "1.0.0"

[addresses]
vip_score = "_"

[dependencies]
MinitiaStdlib = { git = "https://github.com/initia-labs/movevm.git", subdir = "precompile/modules/minitia_stdlib", rev = "v1.2.0" }
`;

/** A function that a transaction or a script calls. */
export interface MoveEntry {
  /** That of the function; for one of another module than that of scores `module::function`. */
  readonly name: string;
  readonly abi: MoveAbi;
  readonly called: MoveFunction;
}

/** Returns the functions of a package that transactions and scripts call; its first module is that of scores. */
export function entriesOf(abis: readonly MoveAbi[]): readonly MoveEntry[] {
  return abis.flatMap((abi, index) => {
    const called = abi.exposed_functions.filter((one) => isReached(one) || isScripted(one, abi));
    return called.map((one) => ({ name: entryName(abi, one, index), abi, called: one }));
  });
}

function entryName(abi: MoveAbi, { name }: MoveFunction, index: number): string {
  return index === 0 ? name : `${abi.name}::${name}`;
}

/** Returns a type for each type parameter of an entry: u64, or a type of the module; u64 for one that arguments have. */
export function typesFor({ abi, called }: MoveEntry, module: Account, values: RandomValues): string[] {
  return called.generic_type_params.map(({ constraints }, index) => {
    const isArgument = called.params.some((type) => new RegExp(`\\bT${index}\\b`).test(type));
    const own = isArgument ? [] : typesWith(constraints, abi).map((name) => `${module}::${abi.name}::${name}`);
    const types = [...(constraints.includes("key") ? [] : ["u64"]), ...own];
    return types[(values.bytes(1)[0] ?? 0) % types.length] ?? "u64";
  });
}

function typesWith(constraints: readonly string[], { structs }: MoveAbi): readonly string[] {
  const fitting = structs.filter(({ abilities }) => constraints.every((one) => abilities.includes(one)));
  return fitting.map(({ name }) => name);
}

/**
 * Compiles a script for each public function that no transaction calls by itself: those that are not entry functions, or take
 * several signers. The sender signs for all of them. A script has the type parameters of its function.
 */
export async function compileMoveScripts(abis: readonly MoveAbi[]): Promise<ScriptFor> {
  const [vipnode = ""] = await prepareVipnodes({ vms: ["move"] });
  const scripted = entriesOf(abis).filter(({ abi, called }) => isScripted(called, abi));
  const scratch = await mkdtemp(join(tmpdir(), "vipscore-conformance-"));
  try {
    await writeFile(join(scratch, "Move.toml"), manifest);
    await mkdir(join(scratch, "sources"));
    const stubs = abis.map((abi) =>
      stubOf(
        abi,
        scripted.flatMap((one) => (one.abi === abi ? [one.called] : [])),
      ),
    );
    await writeFile(join(scratch, "sources/modules.move"), stubs.join("\n"));
    await writeFile(join(scratch, "sources/scripts.move"), scripted.map(scriptOf).join("\n"));
    const named = `vip_score=0x${scriptPlaceholder.toString("hex")}`;
    await run(vipnode, ["build", scratch, "--named-address", named], { cwd: scratch });
    const folder = join(scratch, "build/scripts/bytecode_scripts");
    const compiled = new Map<string, Buffer>();
    for (const entry of scripted) compiled.set(entry.name, await readFile(join(folder, `${scriptName(entry)}.mv`)));
    return (name, address) => {
      const script = compiled.get(name);
      if (script === undefined) throw new Error(`no script calls ${name}`);
      return placeAddress(script, scriptPlaceholder, address).toString("base64");
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function isScripted(one: MoveFunction, abi: MoveAbi): boolean {
  return one.visibility === "public" && !isReached(one) && unreachedBecause(one, abi) === undefined;
}

/** Whether a transaction of one sender calls a function by itself. */
export function isReached({ is_entry: isEntry, params }: MoveFunction): boolean {
  return isEntry && params.filter(isSigner).length < 2;
}

/** Returns a line for each function that no transaction of one sender can call, with the reason. */
export function unreachedFunctions(abis: readonly MoveAbi[]): readonly string[] {
  return abis.flatMap((abi, index) =>
    abi.exposed_functions.flatMap((one) => {
      const reason = isReached(one) || isOnlyRead(one, abi) ? undefined : unreachedBecause(one, abi);
      return reason === undefined ? [] : [`${entryName(abi, one, index)} was not called: ${reason}`];
    }),
  );
}

function unreachedBecause(one: MoveFunction, abi: MoveAbi): string | undefined {
  const { visibility, params, return: results, generic_type_params: generics } = one;
  if (visibility !== "public") return visibility === "friend" ? "only friends call it" : "it takes several signers";
  const passed = params.filter((type) => !isSigner(type)).map(withoutSpaces);
  const strange = passed.find((type) => !isPlain(type, generics.length));
  if (strange !== undefined) return `no transaction has a ${strange}`;
  if (generics.some(({ constraints }) => constraints.includes("key") && typesWith(constraints, abi).length === 0))
    return "its type parameter needs the ability key, which none of the module's types has";
  const kept = results.map(withoutSpaces).find((type) => !isDropped(type, abi, generics.length));
  return kept === undefined ? undefined : `a script cannot drop a ${kept}, but a module may keep it`;
}

/** Whether a function returns what only its own module can end: then no transaction calls it. */
function isOnlyRead({ return: results }: MoveFunction, { name, structs }: MoveAbi): boolean {
  const lasting = structs.filter(({ abilities }) => !abilities.some((one) => ["drop", "store", "key"].includes(one)));
  return results.some((type) => lasting.some((struct) => withoutSpaces(type).endsWith(`::${name}::${struct.name}`)));
}

export function isSigner(type: string): boolean {
  return withoutSpaces(type) === "&signer" || type === "signer";
}

function withoutSpaces(type: string): string {
  return type.replaceAll(/\s/g, "");
}

/** Whether a transaction can hold a value of a type. */
function isPlain(type: string, generics: number): boolean {
  const [, outer = type, inner] = /^([\w:]+)<(.*)>$/.exec(type) ?? [];
  if (inner !== undefined) return (outer === "vector" || outer === optionType) && isPlain(inner, generics);
  const parameter = /^T(\d+)$/.exec(outer)?.[1];
  if (parameter !== undefined) return Number(parameter) < generics;
  return /^(u\d+|bool|address)$/.test(outer) || outer === stringType;
}

function isDropped(type: string, { name, structs }: MoveAbi, generics: number): boolean {
  const [, own] = new RegExp(`^0x[0-9a-f]+::${name}::(\\w+)$`).exec(type) ?? [];
  if (own === undefined) return isPlain(type, generics);
  return structs.some((struct) => struct.name === own && struct.abilities.includes("drop"));
}

/** A module with the functions that scripts call, so that they compile without the module and its library. */
function stubOf(abi: MoveAbi, called: readonly MoveFunction[]): string {
  const structs = abi.structs.map(
    ({ name, abilities }) =>
      `    struct ${name}${abilities.length === 0 ? "" : ` has ${abilities.join(", ")}`} { stub: u64 }`,
  );
  const functions = called.map(({ name, params, return: results, generic_type_params: generics }) => {
    const taken = params.map((type, index) => `_a${index}: ${sourceType(type, abi)}`);
    const given = results.length === 0 ? "" : `: (${results.map((type) => sourceType(type, abi)).join(", ")})`;
    return `    public fun ${name}${typeParameters(generics)}(${taken.join(", ")})${given} { abort 0 }`;
  });
  return [`module vip_score::${abi.name} {`, ...structs, ...functions, "}", ""].join("\n");
}

function scriptName({ name }: MoveEntry): string {
  return `call_${name.replace("::", "_of_")}`;
}

function scriptOf(entry: MoveEntry): string {
  const { abi } = entry;
  const { name, params, return: results, generic_type_params: generics } = entry.called;
  const taken = params.flatMap((type, index) => (isSigner(type) ? [] : [`, a${index}: ${sourceType(type, abi)}`]));
  const passed = params.map((type, index) => (isSigner(type) ? "sender" : `a${index}`));
  const dropped = results.length === 0 ? "" : `let (${results.map(() => "_").join(", ")}) = `;
  const types = angled(generics.map((_, index) => `T${index}`));
  return `script {
    fun ${scriptName(entry)}${typeParameters(generics)}(sender: &signer${taken.join("")}) {
        ${dropped}vip_score::${abi.name}::${name}${types}(${passed.join(", ")});
    }
}
`;
}

function typeParameters(generics: MoveFunction["generic_type_params"]): string {
  const bounds = generics.map(({ constraints }) => (constraints.length === 0 ? "" : `: ${constraints.join(" + ")}`));
  return angled(bounds.map((bound, index) => `T${index}${bound}`));
}

function angled(types: readonly string[]): string {
  return types.length === 0 ? "" : `<${types.join(", ")}>`;
}

/** The type as a source of the stub spells it. */
function sourceType(type: string, { name }: MoveAbi): string {
  return withoutSpaces(type).replaceAll(new RegExp(`0x[0-9a-f]+::${name}::`, "g"), "");
}
