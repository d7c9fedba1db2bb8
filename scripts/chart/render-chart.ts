import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';
import { ensureTools } from '../tools/ensure-tools.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const chartFolder = join(root, 'deploy', 'helm', 'hearth');

/** A resource as rendered by the chart; tests access it by path. */
// biome-ignore lint/suspicious/noExplicitAny: its shape is that of Kubernetes, which the tests compare with schemas.
export type Resource = any;

export interface RenderOptions {
  release?: string;
  namespace?: string;
  /** A file of deploy/helm/hearth/ci, without its extension. */
  file?: string;
  /** Values that override the file and the defaults. */
  values?: object;
}

/**
 * Puts helm into .cache/bin, as pinned in tools/helm/go.mod: takes seconds if Go has built it before, otherwise
 * minutes.
 */
export const ensureHelm = () => ensureTools(['helm']);

const environment = () => ({
  ...process.env,
  PATH: [join(root, '.cache', 'bin'), process.env.PATH].join(':'),
});

/** Runs helm to its end; `code` is not 0 if it failed. */
export function helm(
  args: readonly string[],
  input = '',
): { code: number | null; said: string; out: string } {
  const result = spawnSync('helm', args, {
    encoding: 'utf8',
    input,
    env: environment(),
    maxBuffer: 1 << 26,
  });
  if (result.error) throw result.error;
  return { code: result.status, said: `${result.stdout}${result.stderr}`, out: result.stdout };
}

function argumentsOf({ release = 'home-a', namespace = 'homes', file }: RenderOptions): string[] {
  const files = file === undefined ? [] : ['--values', join(chartFolder, 'ci', `${file}.yaml`)];
  return ['template', release, chartFolder, '--namespace', namespace, ...files, '--values', '-'];
}

export function tryRender(options: RenderOptions) {
  return helm(argumentsOf(options), stringify(options.values ?? {}));
}

/** Helm's output for an upgrade when the cluster's API knows only this Deployment or StatefulSet of apps/v1. */
export async function tryUpgrade(installed: Resource, values: object): Promise<string> {
  const { kind, metadata } = installed;
  const named = `/apis/apps/v1/namespaces/homes/${kind.toLowerCase()}s/${metadata.name}`;
  const versions = { groupVersion: 'apps/v1', version: 'v1' };
  const resources = ['Deployment', 'StatefulSet'].map((name) => ({
    name: `${name.toLowerCase()}s`,
    kind: name,
    namespaced: true,
    verbs: ['get'],
  }));
  const answers: Record<string, object> = {
    '/version': { gitVersion: 'v1.35.4' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
    '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [versions] }] },
    '/apis/apps/v1': { kind: 'APIResourceList', groupVersion: 'apps/v1', resources },
    [named]: { apiVersion: 'apps/v1', ...installed },
  };
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
  const server = createServer(({ url = '' }, reply) => {
    const answer = answers[url.replace(/\?.*/, '')];
    reply.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(answer ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const asked = ['--is-upgrade', '--dry-run=server', '--disable-openapi-validation'];
    const where = ['--kube-apiserver', `http://127.0.0.1:${port}`];
    return await new Promise((resolve) => {
      const done = (_error: unknown, out: string, said: string) => resolve(`${out}${said}`);
      const args = [...argumentsOf({}), ...asked, ...where];
      const helm = execFile('helm', args, { env: environment(), maxBuffer: 1 << 26 }, done);
      helm.stdin?.end(stringify(values));
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export function renderText(options: RenderOptions): string {
  const { code, said, out } = tryRender(options);
  if (code !== 0) throw new Error(said);
  return out;
}

export function render(options: RenderOptions): Resource[] {
  return parseAllDocuments(renderText(options))
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    })
    .filter((resource) => resource !== null);
}

export const ofKind = (resources: readonly Resource[], kind: string) =>
  resources.filter((resource) => resource.kind === kind);

export function one(resources: readonly Resource[], kind: string, name: string): Resource {
  const found = ofKind(resources, kind).filter((resource) => resource.metadata.name === name);
  if (found.length !== 1) throw new Error(`there are ${found.length} of ${kind} ${name}`);
  return found[0];
}

/** Every pod that the resources create, with its labels. */
export function podsOf(
  resources: readonly Resource[],
): { name: string; labels: Record<string, string>; spec: Resource }[] {
  return resources.flatMap((resource) => {
    if (resource.kind === 'Pod')
      return [{ name: resource.metadata.name, labels: resource.metadata.labels, spec: resource.spec }];
    const template = resource.spec?.template;
    if (template?.spec?.containers === undefined) return [];
    return [{ name: resource.metadata.name, labels: template.metadata.labels, spec: template.spec }];
  });
}

export const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
