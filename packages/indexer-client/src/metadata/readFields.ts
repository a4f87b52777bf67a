import { locate, type Gateways } from "./locate.ts";
import { MetadataFault, orFault } from "./metadataFault.ts";

/** A trait of a token. */
export interface MetadataAttribute {
  /** Empty if the attribute is only a value. */
  readonly trait: string;
  readonly value: string | number | boolean;
  /** How the author wants the value shown, such as `date` or `boost_percentage`. */
  readonly displayType?: string | undefined;
}

/**
 * The metadata of a token. All of it is the author's text: show it as text, not as HTML. Links are https URLs, with
 * `ipfs://` and `ar://` through the first gateway, and for `image` and `animationUrl` also `data:` with an image, audio
 * or video; any other link is left out, and is only in `raw`.
 */
export interface NftMetadata {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** For the `src` of an image. */
  readonly image?: string | undefined;
  readonly animationUrl?: string | undefined;
  readonly externalUrl?: string | undefined;
  /** Of `attributes`, else of `properties`; those without a text, number or boolean are left out. */
  readonly attributes: readonly MetadataAttribute[];
  /** The whole document, unchecked; null if the URI is that of an image. */
  readonly raw: Readonly<Record<string, unknown>> | null;
}

/**
 * Reads the fields of ERC-721 and ERC-1155, of marketplaces, and of cw721's on-chain metadata; documents of Move tokens
 * have the same.
 *
 * @throws MetadataFault `METADATA_NOT_JSON` or `METADATA_BAD_FIELDS`.
 */
export function readFields(json: string, gateways: Gateways): NftMetadata {
  const raw = orFault("METADATA_NOT_JSON", (): unknown => JSON.parse(json));
  if (!isObject(raw)) throw new MetadataFault("METADATA_BAD_FIELDS", "the document is not an object");
  const { name, description, image, image_url, image_data, animation_url, external_url, attributes, properties } = raw;
  return {
    name: readText(name, "name"),
    description: readText(description, "description"),
    image: readLink(image, gateways, true) ?? readLink(image_url, gateways, true) ?? readSvg(image_data),
    animationUrl: readLink(animation_url, gateways, true),
    externalUrl: readLink(external_url, gateways, false),
    attributes: readAttributes(attributes ?? properties),
    raw,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws MetadataFault if the value is neither a text nor missing: a page would show something else. */
function readText(value: unknown, field: string): string | undefined {
  if (typeof value !== "string" && value !== undefined && value !== null) {
    throw new MetadataFault("METADATA_BAD_FIELDS", `${field} is not a text`);
  }
  return value || undefined;
}

function readLink(value: unknown, gateways: Gateways, isMedia: boolean): string | undefined {
  if (typeof value !== "string") return undefined;
  const link = value.trim();
  if (isMedia && /^data:(?:image|audio|video)\//i.test(link)) return link;
  try {
    return locate(link, gateways)[0];
  } catch {
    return undefined;
  }
}

/** SVG in an image runs no scripts. Half a surrogate pair has no encoding, and is left out. */
function readSvg(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.includes("<svg")) return undefined;
  return `data:image/svg+xml,${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ""))}`;
}

/** A list of rows, or an object of values by trait, as ERC-1155 has it. */
function readAttributes(source: unknown): readonly MetadataAttribute[] {
  if (Array.isArray(source)) return source.flatMap((row: unknown) => readAttribute(isObject(row) ? row : {}));
  if (!isObject(source)) return [];
  return Object.entries(source).flatMap(([trait, value]) =>
    readAttribute({ trait_type: trait, value: isObject(value) ? value["value"] : value }),
  );
}

function readAttribute(row: Readonly<Record<string, unknown>>): readonly MetadataAttribute[] {
  const { trait_type: trait, value, display_type: displayType } = row;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return [];
  const shown = typeof displayType === "string" ? displayType : undefined;
  return [{ trait: typeof trait === "string" ? trait : "", value, displayType: shown }];
}
