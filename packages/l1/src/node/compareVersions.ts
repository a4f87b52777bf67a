/** Result of comparing the versions of two programs; `unknown` if one does not report its own. */
export type VersionComparison = "equal" | "different" | "unknown";

/** Compares two versions as text; a leading `v` is ignored. */
export function compareVersions(one: string | undefined, other: string | undefined): VersionComparison {
  const left = normalize(one);
  const right = normalize(other);
  if (left === "" || right === "") return "unknown";
  return left === right ? "equal" : "different";
}

function normalize(version: string | undefined): string {
  return (version ?? "").trim().replace(/^v(?=\d)/, "");
}
