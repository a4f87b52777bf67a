#!/usr/bin/env node
// Committed as executable, so that `npx @vipscore/cli` also runs in a checkout: the build does not make its files executable.
import "../dist/bin.js";
