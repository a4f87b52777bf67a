// One after the other: the chain and DuckDB each take a core.
for (const part of ["entries.js", "policy.js", "src/stage.ts"]) await import(`./${part}`);
console.log(`Node ${process.version}`);
