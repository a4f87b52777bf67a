/** A pull request on GitHub, and the right to comment on it. */
export interface PullRequest {
  readonly apiUrl: string;
  readonly repository: string;
  readonly number: number;
  readonly token: string;
}

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly type: string } | null;
}

const pageSize = 100;
/** A pull request with more comments gets a second comment instead of an update. */
const maxPages = 30;

/**
 * Writes a comment, over the one that a bot wrote before with the same first line. Comments of people are left alone, even
 * with that line. A comment that cannot be written over is deleted: it would show an earlier plan as this one.
 *
 * @throws Error with the status when GitHub refuses.
 */
export async function upsertComment(pull: PullRequest, body: string): Promise<void> {
  const marker = body.slice(0, body.indexOf("\n"));
  const issues = `/repos/${pull.repository}/issues`;
  const existing = await findComment(pull, `${issues}/${pull.number}/comments`, marker);
  if (existing === undefined) await call(pull, "POST", `${issues}/${pull.number}/comments`, { body });
  else await replace(pull, `${issues}/comments/${existing.id}`, body);
}

async function replace(pull: PullRequest, path: string, body: string): Promise<void> {
  try {
    await call(pull, "PATCH", path, { body });
  } catch (error) {
    const state = await call(pull, "DELETE", path).then(
      () => "was deleted",
      () => "is still there",
    );
    throw new Error(
      `${error instanceof Error ? error.message : "no answer"}; the comment of an earlier plan ${state}`,
      {
        cause: error,
      },
    );
  }
}

async function findComment(pull: PullRequest, path: string, marker: string): Promise<Comment | undefined> {
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await call(pull, "GET", `${path}?per_page=${pageSize}&page=${page}`);
    const comments = (await answer.json()) as readonly Comment[];
    const found = comments.find(({ body, user }) => user?.type === "Bot" && body.startsWith(`${marker}\n`));
    if (found !== undefined || comments.length < pageSize) return found;
  }
  return undefined;
}

async function call(pull: PullRequest, method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${pull.apiUrl}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${pull.token}`,
      "content-type": "application/json",
      "x-github-api-version": "2022-11-28",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path.split("?")[0]}`);
  return response;
}
