#!/usr/bin/env node
// Committed and executable, so that `npx vipscore` also runs in a checkout, where nothing marks built files executable.
import "../dist/bin.js";
