import { delimiter, dirname } from "node:path";

/**
 * Returns the environment of a user's shell: without what the npm and the Nx around this process have set, which would reach
 * into the projects, and with this process's Node first on the PATH.
 *
 * @param userConfig Path of the npmrc that replaces the user's own.
 * @param cache Folder of npm's cache.
 */
export function cleanEnvironment(userConfig: string, cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm|nx|github)_|^(node_options|init_cwd)$/i.test(name),
  );
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...folders].join(delimiter),
    npm_config_userconfig: userConfig,
    npm_config_cache: cache,
  };
}
