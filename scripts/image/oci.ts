import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arenas, heapBounds } from '../with-node/heap-bounds.mjs';
import { writeTar } from './tar.ts';
import type { Tree } from './tree.ts';

export interface Image {
  /** Its name for a registry or containerd. */
  reference: string;
  /** From least to most frequently changed. */
  layers: readonly Tree[];
  command: readonly string[];
  labels: Readonly<Record<string, string>>;
  /** How it runs, if not as a home does. */
  config?: Readonly<Record<string, unknown>>;
}

const type = (name: string) => `application/vnd.oci.image.${name}`;

/** Default variables of a container; deploy/image/Dockerfile has the same. */
export const environment = [
  'NODE_ENV=production',
  'PATH=/usr/bin',
  'HEARTH_DATA=/data',
  `NODE_OPTIONS=${heapBounds('home')}`,
  `MALLOC_ARENA_MAX=${arenas.MALLOC_ARENA_MAX}`,
] as const;

/** Writes an image as an OCI layout into `folder` and returns its manifest's digest. */
export function writeLayout(folder: string, image: Image): string {
  const blobs = join(folder, 'blobs', 'sha256');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(blobs, { recursive: true });
  const layers = image.layers.map((tree, index) => {
    const incoming = join(blobs, `incoming-${index}`);
    const written = writeTar(incoming, tree);
    renameSync(incoming, join(blobs, written.digest.slice('sha256:'.length)));
    return written;
  });
  const blob = (value: unknown) => {
    const bytes = Buffer.from(JSON.stringify(value));
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, digest), bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const config = blob({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    created: new Date(0).toISOString(),
    config: {
      User: '65532:65532',
      WorkingDir: '/app',
      Env: environment,
      Entrypoint: ['/usr/bin/node', '/app/entry.mjs'],
      Cmd: image.command,
      StopSignal: 'SIGTERM',
      Labels: image.labels,
      ...image.config,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
  });
  const manifest = blob({
    schemaVersion: 2,
    mediaType: type('manifest.v1+json'),
    config: { mediaType: type('config.v1+json'), ...config },
    layers: layers.map((layer) => ({ mediaType: type('layer.v1.tar'), ...layer })),
  });
  const annotations = {
    'io.containerd.image.name': image.reference,
    'org.opencontainers.image.ref.name': image.reference.slice(image.reference.lastIndexOf(':') + 1),
  };
  const index = {
    schemaVersion: 2,
    mediaType: type('index.v1+json'),
    manifests: [{ mediaType: type('manifest.v1+json'), ...manifest, annotations }],
  };
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
  return manifest.digest;
}
