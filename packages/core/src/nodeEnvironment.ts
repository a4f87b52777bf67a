/** Names of variables that hold a key, a password or a token. */
const secretName =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET|AUTH)?KEYS?|PK|MNEMONICS?|\w*PASSWORDS?|PASSWD|\w*PASSPHRASES?|SECRETS?|\w*TOKENS?|SEED(?:_PHRASE)?|CREDENTIALS?|AUTH)(?:_|$)/i;

/** Names of variables that hold a database URL, including PostgreSQL's and other databases' own. */
const databaseName =
  /(?:^|_)(?:DATABASE|DB|POSTGRES(?:QL)?|MYSQL|MONGO(?:DB)?|REDIS)_?(?:URL|URI|DSN)$|^PG(?:PASS\w*|SERVICE\w*)$/i;

/** A URL with a password, of a database or an endpoint. */
const urlWithPassword = /^[a-z][\w+.-]*:\/\/[^/\s@]*:[^/\s@]+@/i;

/** Needed for downloads, with credentials or without. */
const downloadName = /^(?:https?_proxy|all_proxy|goproxy)$/i;

/**
 * Returns an environment for a program that needs no secrets, such as a local node or a compiler: without keys,
 * mnemonics, passwords, tokens and URLs that hold a password. Other programs of the same user could read them from a
 * running program.
 */
export function nodeEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value = ""]) => {
      if (secretName.test(name) || databaseName.test(name)) return false;
      return downloadName.test(name) || !urlWithPassword.test(value);
    }),
  );
}
