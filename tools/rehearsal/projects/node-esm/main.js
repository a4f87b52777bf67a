// One after the other: the chain and DuckDB each take a core.
for (const part of ["entries", "values", "policy", "chain"]) await import(`./${part}.js`);
console.log(`Node ${process.version}`);
