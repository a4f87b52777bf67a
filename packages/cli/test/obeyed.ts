/** Control sequences of terminals and commands of CI systems; line feeds and tabs are harmless. */
export const obeyed = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*::|##\w*\[/mu;
