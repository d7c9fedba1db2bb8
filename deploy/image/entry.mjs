// The entry point of an image. Its first argument says what to run: `home` for all services in one process, a service's name for
// that service, `migrate` to prepare the database, `hearth` for the operator's command line, `check` to check that a home serves,
// or `make-secrets` to create a home's secrets in Kubernetes, once.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// The sources have no types left, so this keeps Node from loading its compiler to strip them.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    return { format: 'module', source: readFileSync(fileURLToPath(url)), shortCircuit: true };
  },
});

const [name = '', ...args] = process.argv.slice(2);
const others = {
  migrate: './services/home/src/migrate.ts',
  hearth: './packages/cli/src/main.ts',
  check: './check.mjs',
  'make-secrets': './make-secrets.mjs',
};
const path = others[name] ?? (/^[a-z]+$/.test(name) ? `./services/${name}/src/main.ts` : undefined);
const entry = path && new URL(path, import.meta.url);
if (entry === undefined || !existsSync(entry)) {
  console.error(`"${name}" is nothing that this image runs; expected home, a service, migrate or hearth`);
  process.exitCode = 2;
} else {
  // Puts the entry's arguments where it would find them without this file.
  process.argv.splice(1, process.argv.length, fileURLToPath(entry), ...args);
  await import(entry);
}
