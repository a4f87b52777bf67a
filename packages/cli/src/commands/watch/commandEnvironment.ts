import { secretVariables } from "../../key/secretVariables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment without the keys and passwords that vipscore reads from it. */
export function commandEnvironment(env: Environment): Environment {
  const secrets: readonly string[] = secretVariables;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)));
}
