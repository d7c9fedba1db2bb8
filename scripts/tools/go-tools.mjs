import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../with-node/lock.mjs';
import { findProgram, isProgram } from './find-program.mjs';
import { run } from './run.mjs';

/** Without its number, a Kubernetes server says v0.0.0, and charts that require a version are refused. */
const numbers = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
  .flatMap((at) =>
    ['Version=v1.35.4', 'Major=1', 'Minor=35', 'TreeState=clean'].map((set) => ` -X ${at}.git${set}`),
  )
  .join('');

const alone = (folder, source, flags = '') => ({
  folder: `tools/${folder}`,
  source,
  flags: ['-trimpath', '-buildvcs=false', `-ldflags=-s -w${flags}`],
  env: { CGO_ENABLED: '0' },
});

/** The programs pinned in a go.mod below tools: name, folder, and the package that each is built from. */
const pinned = {
  'nats-server': { folder: 'tools', source: 'github.com/nats-io/nats-server/v2' },
  k6: { folder: 'tools', source: 'go.k6.io/k6/v2' },
  // Separate, because it brings half of Kubernetes, which would determine the versions of shared dependencies.
  helm: {
    folder: 'tools/helm',
    source: 'helm.sh/helm/v4/cmd/helm',
    // A third smaller without debugging tables.
    flags: ['-trimpath', '-ldflags=-s -w'],
  },
  // Tools of `npm run cluster`, built statically for images without libraries.
  ...Object.fromEntries(
    ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl'].map(
      (name) => [name, alone('kubernetes', `k8s.io/kubernetes/cmd/${name}`, numbers)],
    ),
  ),
  etcd: alone('etcd', 'go.etcd.io/etcd/server/v3'),
  coredns: alone('coredns', '.'),
  pause: alone('coredns', './pause'),
};

/** The functions that install each tool into the project's .cache/bin, by name. */
export const goTools = Object.fromEntries(
  Object.keys(pinned).map((name) => [name, (root, bin) => ensureGoTool(root, name, bin)]),
);

/**
 * Builds a Go program into .cache/bin, unless it is there in the version pinned in its go.mod. Without Go on the PATH,
 * the program's own presence on the PATH suffices.
 */
async function ensureGoTool(root, name, bin) {
  const { folder, source, flags = [], env } = pinned[name];
  const target = join(bin, name);
  const stamp = `${target}.built-from`;
  const pins = pinsOf(join(root, folder));
  const isBuilt = () => isProgram(target) && readIfThere(stamp) === pins;
  if (isBuilt()) return;
  const go = findProgram('go');
  if (go === undefined) {
    if (findProgram(name) !== undefined) return;
    throw new Error(
      `${name} is built with Go, and go is not on the PATH. Install Go (https://go.dev/dl) or ${name}.`,
    );
  }
  mkdirSync(bin, { recursive: true });
  await withLock(`${target}.lock`, `builds ${name}`, () => {
    if (isBuilt()) return;
    console.error(`Building ${name}, once.`);
    const incoming = `${target}.incoming`;
    run(go, ['build', ...flags, '-o', incoming, source], {
      cwd: join(root, folder),
      env: { ...process.env, ...env },
    });
    renameSync(incoming, target);
    writeFileSync(stamp, pins);
  });
}

function pinsOf(folder) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
