import { join } from "node:path";
import { script, type ScriptedServer, type SeenRequest } from "@vipscore/testkit/scriptedServer";
import { event } from "./actionFolder.ts";

/** The longest body that GitHub takes: it answers 422 "body is too long (maximum is 65536 characters)". */
const longestBody = 65_536;

/**
 * Plays GitHub's comments on one pull request: those of others first, then those that were posted.
 *
 * @param refused Methods that it refuses.
 */
export async function startGitHub(
  before: readonly object[] = [],
  refused: readonly string[] = [],
): Promise<ScriptedServer> {
  return script((request, earlier) => {
    const { method, path } = request;
    if (refused.includes(method)) return { status: 403, body: {} };
    if (method === "DELETE") return { status: 204, body: {} };
    if (method !== "GET" && bodyOf(request).length > longestBody) return { status: 422, body: {} };
    if (method !== "GET") return { status: method === "POST" ? 201 : 200, body: {} };
    const posted = earlier.filter((each) => each.method === "POST").map(bodyOf);
    const written = posted.map((body, index) => ({ id: 900 + index, body, user: { type: "Bot" } }));
    return path === "/repos/example/scores/issues/7/comments" ? { body: [...before, ...written] } : { status: 404 };
  });
}

/** The text of a comment that was posted. */
export function bodyOf({ body }: SeenRequest): string {
  return (JSON.parse(body) as { readonly body: string }).body;
}

/** Returns the first comment that was posted. @throws Error if nothing was posted. */
export function postedTo({ requests }: ScriptedServer): SeenRequest {
  const post = requests.find(({ method }) => method === "POST");
  if (post === undefined) throw new Error("no comment");
  return post;
}

/** Returns the variables that a runner sets for a step on a pull request. */
export function runnerEnvironment({ url }: ScriptedServer, cwd: string): Readonly<Record<string, string>> {
  return { GITHUB_EVENT_PATH: join(cwd, event), GITHUB_REPOSITORY: "example/scores", GITHUB_API_URL: url };
}
