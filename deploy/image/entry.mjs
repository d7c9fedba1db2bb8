// The entry of an image: its first argument says what runs. `home` is all services in one process; a service's name
// is that one; `migrate` prepares the database; `hearth` is the operator's command line; `check` asks whether a home serves; `make-secrets` makes the
// secrets of a home in Kubernetes, once.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// The sources have no types any more: Node is kept from loading its compiler to take them out.
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
  // The entry finds its arguments where it would find them without this file.
  process.argv.splice(1, process.argv.length, fileURLToPath(entry), ...args);
  await import(entry);
}
