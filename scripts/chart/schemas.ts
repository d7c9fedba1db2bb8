// npm run chart:schemas
//
// Writes deploy/helm/schemas.json: the schemas that Kubernetes, and the extensions that the chart uses, declare for the
// rendered kinds. Taken from Go modules, at the oldest version that the chart supports; the tests read only this file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { run } from '../tools/run.mjs';

type Json = Record<string, unknown>;

const kubernetes = 'k8s.io/kubernetes@v1.34.3';
const kinds: Record<string, readonly string[]> = {
  api__v1: ['Service', 'ServiceAccount', 'ConfigMap', 'Pod'],
  apis__apps__v1: ['Deployment', 'StatefulSet'],
  apis__batch__v1: ['Job'],
  apis__policy__v1: ['PodDisruptionBudget'],
  apis__autoscaling__v2: ['HorizontalPodAutoscaler'],
  'apis__networking.k8s.io__v1': ['NetworkPolicy', 'Ingress'],
  'apis__rbac.authorization.k8s.io__v1': ['Role', 'RoleBinding'],
};
const extensions = [
  ['sigs.k8s.io/gateway-api@v1.4.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.87.1',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  ],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.87.1',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  ['github.com/kedacore/keda/v2@v2.18.3', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
] as const;

const folders = new Map<string, string>();
function moduleFolder(name: string): string {
  const known =
    folders.get(name) ?? JSON.parse(run('go', ['mod', 'download', '-json', name], { cwd: '/' })).Dir;
  folders.set(name, known);
  return known;
}

const definitions: Json = {};
const roots: Record<string, Json> = {};

for (const [file, names] of Object.entries(kinds)) {
  const path = join(moduleFolder(kubernetes), 'api', 'openapi-spec', 'v3', `${file}_openapi.json`);
  const all = JSON.parse(readFileSync(path, 'utf8')).components.schemas as Record<string, Json>;
  for (const [name, schema] of Object.entries(all)) {
    for (const { group, kind, version } of (schema['x-kubernetes-group-version-kind'] ?? []) as Record<
      string,
      string
    >[]) {
      if (!names.includes(kind as string)) continue;
      const root = `${group === '' ? version : `${group}/${version}`}/${kind}`;
      if (!file.endsWith(`__${version}`)) continue;
      roots[root] = { $ref: `#/definitions/${name}` };
      keep(name, all);
    }
  }
}
for (const [module, file] of extensions) {
  const { spec } = parse(readFileSync(join(moduleFolder(module), file), 'utf8'));
  for (const { name, schema } of spec.versions) {
    roots[`${spec.group}/${name}/${spec.names.kind}`] = strict(schema.openAPIV3Schema) as Json;
  }
}

function keep(name: string, all: Record<string, Json>): void {
  if (definitions[name] !== undefined) return;
  const schema = strict(all[name]);
  definitions[name] = schema;
  for (const [, below] of JSON.stringify(schema).matchAll(/#\/definitions\/([\w.-]+)/g))
    keep(below as string, all);
}

/** Keeps only a schema's constraints; refuses fields that it does not name. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const given = schema as Json;
  if (given['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const result: Json = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === '$ref') result.$ref = String(value).replace('#/components/schemas/', '#/definitions/');
    else if (name === 'properties') {
      result.properties = Object.fromEntries(
        Object.entries(value as Json).map(([key, below]) => [key, strict(below)]),
      );
    } else if (
      /^(description|default|format|nullable|example|title)$/.test(name) ||
      name.startsWith('x-kubernetes-')
    )
      continue;
    // Go's regular expressions have syntax that JavaScript lacks.
    else if (name === 'pattern' && String(value).includes('(?')) continue;
    else result[name] = strict(value);
  }
  const open =
    given['x-kubernetes-preserve-unknown-fields'] === true || given.additionalProperties !== undefined;
  if (result.properties !== undefined && !open) result.additionalProperties = false;
  return result;
}

const text = JSON.stringify({ kubernetes, roots, definitions });
writeFileSync(fileURLToPath(new URL('../../deploy/helm/schemas.json', import.meta.url)), `${text}\n`);
console.log(
  `deploy/helm/schemas.json: ${Object.keys(roots).sort().join(', ')}, ${Math.round(text.length / 1024)} KiB`,
);
