import { InputError, readJsonFile } from "@vipscore/core";
import { fields, list, matching, oneOf, optional, text, type Field, type ReadField } from "@vipscore/core/field";
import type { Context } from "../../context.ts";
import { pathOf } from "../../contract/readTable.ts";
import type { NewFile } from "../../l1/writeTransaction.ts";

/** One thing that earns scores, as Initia's apps show it. */
export interface ScoredAction {
  readonly title: string;
  readonly description: string;
}

/** A rollup's profile in Initia's registry. */
export interface RegistryProfile {
  /** The file's name. */
  readonly name: string;
  readonly content: Field;
}

/** The registration that a profile is completed with. */
export interface ProfileRegistration {
  readonly actions: readonly ScoredAction[];
  readonly chainId: string;
  readonly bridgeId: bigint;
  /** By custom the URL of the forum post, which the profile names too. */
  readonly metadata: string;
}

const categories = ["DeFi", "Social", "NFT", "Gaming", "Portfolio", "AI", "Consumer", "Others"] as const;
const httpsUrl = /^https:\/\/./;
const anyText = matching(/^/, "a text");
const shortText = (most: number): ReadField<string> =>
  matching(new RegExp(`^[^]{0,${most}}$`, "u"), `a text of at most ${most} characters`);

/** What the registry demands of a profile (`profile.schema.json` of github.com/initia-labs/initia-registry). Other fields are free. */
const checkProfile = fields({
  name: anyText,
  pretty_name: anyText,
  chain_id: optional(anyText),
  category: oneOf(categories),
  tags: optional(atMost(3, shortText(10))),
  description: shortText(140),
  summary: optional(shortText(50)),
  logo: matching(/^https:\/\/.+\.png$/, "the https URL of a PNG image"),
  color: optional(matching(/^#[a-fA-F0-9]{6}$/, "a color such as #42F771")),
  status: oneOf(["live", "upcoming", "hidden"]),
  vip: optional(
    fields({
      actions: optional(list(fields({ title: optional(anyText), description: optional(anyText) }))),
      forum_url: optional(matching(httpsUrl, "an https URL")),
    }),
  ),
  social: optional(
    fields({
      website: optional(matching(httpsUrl, "an https URL")),
      twitter: optional(matching(/^https:\/\/x.com\/./, "a URL of x.com")),
    }),
  ),
  l2: optional((field) => (typeof field.value === "boolean" ? field.value : field.expected("true or false"))),
  op_bridge_id: optional(anyText),
});

/** Reads the scored actions in the settings of a proposal. */
export const readActions: ReadField<readonly ScoredAction[]> = (field) => {
  const actions = list(fields({ title: text, description: text }))(field);
  return actions.length > 0 ? actions : field.expected("one action or more");
};

/**
 * Reads a rollup's profile in Initia's registry.
 *
 * @throws InputError `PROPOSAL_INVALID`, naming the file and the field; `FILE_UNREADABLE`.
 */
export async function readProfile({ io, scrubber }: Context, name: string): Promise<RegistryProfile> {
  const content = await readJsonFile(pathOf(io, name), { name, refuse, signal: io.signal });
  scrubber.addGiven(JSON.stringify(content.value));
  checkProfile(content);
  return { name, content };
}

/** The name of the file for the completed profile: `profile.vip.json` for `profile.json`. */
export function completedName(name: string): string {
  return `${name.replace(/\.json$/, "")}.vip.json`;
}

/**
 * Returns the profile with the scored actions, and the forum's URL if it is one. Every other field stays as it is, in its place.
 * Warns if the profile had others.
 *
 * @throws InputError `PROPOSAL_INVALID` for the profile of another rollup.
 */
export function completeProfile(
  { output }: Context,
  { name, content }: RegistryProfile,
  registration: ProfileRegistration,
): NewFile {
  const { actions, chainId, bridgeId, metadata } = registration;
  requireEqual(content.at("chain_id"), chainId);
  requireEqual(content.at("op_bridge_id"), `${bridgeId}`);
  const forum = httpsUrl.test(metadata) ? { forum_url: metadata } : {};
  const before = objectOf(content.at("vip"));
  const vip = { ...before, ...forum, actions };
  for (const field of ["actions", "forum_url"] as const) {
    if (Object.hasOwn(before, field) && JSON.stringify(before[field]) !== JSON.stringify(vip[field])) {
      output.warn(`${name} has another vip.${field}, which is replaced in ${completedName(name)}`);
    }
  }
  const all = Object.entries(objectOf(content));
  // The registry's profiles have it after the status.
  const at = all.findIndex(([field]) => field === "status") + 1;
  const has = all.some(([field]) => field === "vip");
  const completed = has
    ? all.map(([field, value]) => [field, field === "vip" ? vip : value] as const)
    : all.toSpliced(at, 0, ["vip", vip]);
  return {
    name: completedName(name),
    text: `${JSON.stringify(Object.fromEntries(completed), undefined, 2)}\n`,
  };
}

function requireEqual(field: Field, wanted: string): void {
  if (field.value !== undefined && field.value !== wanted) field.expected(`${wanted}, which is the rollup's`);
}

function objectOf({ value }: Field): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function atMost<T>(most: number, read: ReadField<T>): ReadField<readonly T[]> {
  return (field) => {
    const items = list(read)(field);
    return items.length <= most ? items : field.wrong(`has ${items.length} items; give at most ${most}`);
  };
}

function refuse(place: string, problem: string): InputError {
  return new InputError(`${place} ${problem}`, { code: "PROPOSAL_INVALID" });
}
