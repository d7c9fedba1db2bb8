#!/usr/bin/env node
// ./hearth <command>, a link to this file: the operator's tool, on any machine with Node 20 or newer. Its commands are
// in packages/cli.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url)));
await import('./with-node.mjs');
