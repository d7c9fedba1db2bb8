import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments, stringify } from 'yaml';
import {
  chartFolder,
  helm,
  ofKind,
  one,
  type RenderOptions,
  type Resource,
  render,
  root,
  tryUpgrade,
} from './render-chart.ts';
import { useHelm } from './rendered.ts';
import { serviceNames } from './values.ts';

useHelm();

describe('the notes of helm install', () => {
  const notesOf = (values: object) => {
    const args = [
      'install',
      'home-a',
      chartFolder,
      '--namespace',
      'homes',
      '--dry-run=client',
      '--values',
      '-',
    ];
    const { said } = helm(args, stringify({ home: { name: 'a.example' }, ...values }));
    return said.slice(said.indexOf('NOTES:')).split(/\s+/).join(' ');
  };

  test('list the next steps: health, secrets, what to keep, the way in, and trial settings', () => {
    const said = notesOf({});
    expect(said).toContain('helm test home-a --namespace homes');
    expect(said).toContain('get secret home-a-hearth-secrets -o yaml');
    expect(said).toContain('Secrets and volumes are kept when you uninstall the release');
    expect(said).toContain('recovery.key');
    expect(said).toContain('exec deployment/home-a-hearth-gateway');
    expect(said).toContain('port-forward service/home-a-hearth-gateway 8080:8080');
    expect(said).toContain('The embedded Postgres, NATS and Redis are for trials');
    expect(said).toContain('no mail server');
  });

  test('follow the given values', () => {
    const own = notesOf({ mode: 'single', secrets: { existing: 'mine' }, ingress: { enabled: true } });
    expect(own).toContain('exec statefulset/home-a-hearth-home');
    for (const words of ['Secrets and volumes are kept', 'port-forward', 'for trials'])
      expect(own).not.toContain(words);
  });
});

describe('examples of docs/kubernetes.md', () => {
  const document = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
  const blocks = [...document.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, text = '']) =>
    parseAllDocuments(text).map((each) => each.toJS()),
  );
  const values = blocks.filter(({ kind }) => kind === undefined);
  const certificates = blocks.filter(({ kind }) => kind === 'Certificate');

  test('with values are accepted, and connect to the named data instead of bundled data', () => {
    expect(values.length).toBeGreaterThanOrEqual(2);
    for (const given of values) {
      const resources = render({ values: { home: { name: 'a.example' }, ...given } });
      expect(ofKind(resources, 'StatefulSet')).toEqual([]);
      const { env } = one(resources, 'Deployment', 'home-a-hearth-messages').spec.template.spec.containers[0];
      const variable = (key: string) => env.find(({ name }: Resource) => name === key);
      const secret = (of: Resource) => ({ name: of.existingSecret.name, key: of.existingSecret.key });
      expect(variable('DATABASE_URL').valueFrom.secretKeyRef).toEqual(secret(given.database));
      expect(variable('NATS_URL').valueFrom.secretKeyRef).toEqual(secret(given.nats));
      expect(variable('REDIS_URL').value).toBe(given.redis.url);
    }
  });

  test('that call the operator’s command line put the command before the options', () => {
    const [line = ''] = document.match(/^hearth\(\) .*/m) ?? [];
    const stub = 'kubectl() { while [ "$1" != hearth ]; do shift; done; shift; echo "$@"; }';
    const { stdout } = spawnSync('sh', ['-c', `${stub}\n${line}\nhearth key list`], { encoding: 'utf8' });
    expect(stdout).toMatch(/^key list --site http:/);
  });

  test('with homes on the same data share nothing else', () => {
    const given = values.find(({ secrets }) => secrets === undefined);
    const of = (release: string) =>
      render({
        release,
        values: JSON.parse(
          JSON.stringify({ home: { name: 'x.example' }, ...given }).replaceAll('home-a', release),
        ),
      });
    const secrets = (release: string) =>
      JSON.stringify(of(release))
        .match(/"secretKeyRef":\{[^}]*\}/g)
        ?.sort() ?? [];
    const ofA = new Set(secrets('home-a'));
    expect(ofA.size).toBeGreaterThan(4);
    expect(secrets('home-b').filter((reference) => ofA.has(reference))).toEqual([]);
  });

  test('that create certificates use the names that the services read', () => {
    expect(certificates).toHaveLength(1);
    const [{ metadata, spec }] = certificates;
    const resources = render({ file: 'split', values: { tls: { enabled: true } } });
    const read = serviceNames.map((name) => {
      const { volumes } = one(resources, 'Deployment', `home-a-hearth-${name}`).spec.template.spec;
      return volumes.find((volume: Resource) => volume.name === 'tls').secret.secretName;
    });
    const made = serviceNames.map((name) => spec.secretName.replace('identity', name));
    expect(metadata.name).toBe('home-a-identity');
    expect(read).toEqual(made);
    expect(spec.dnsNames).toEqual(['identity']);
    expect(spec.usages).toEqual(['server auth', 'client auth']);
    // The chart reads these files from it.
    for (const file of ['tls.crt', 'tls.key', 'ca.crt']) expect(document).toContain(`\`${file}\``);
  });
});

describe('migrations', () => {
  const jobs = (options: RenderOptions) =>
    ofKind(render(options), 'Job').filter(({ metadata }) => metadata.name.includes('migrate'));

  test('run in a Job for each image', () => {
    const [now] = jobs({ file: 'split' });
    const [next] = jobs({ file: 'split', values: { image: { tag: '0.2.0' } } });
    expect(now.metadata.annotations).toBeUndefined();
    expect(next.metadata.name).not.toBe(now.metadata.name);
    expect(now.spec.template.spec.containers[0].args).toEqual(['migrate']);
  });

  test('run in a hook before the rest, or in the services', () => {
    const [hook] = jobs({ file: 'production' });
    expect(hook.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(jobs({ file: 'split', values: { migrations: { mode: 'start' } } })).toEqual([]);
  });
});

describe('an upgrade', () => {
  const home = { home: { name: 'a.example' } };
  const { appVersion } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8'));
  const [major, minor] = appVersion.split('.').map(Number);
  const gateway = (version: string) => ({
    kind: 'Deployment',
    metadata: { name: 'home-a-hearth-gateway', labels: { 'app.kubernetes.io/version': version } },
  });
  const single = { kind: 'StatefulSet', metadata: { name: 'home-a-hearth-home' } };

  test.each([appVersion, `${major}.${minor}.9`, `${major}.${minor + 1}.0`])(
    'is accepted where %s is installed',
    async (version) => {
      // The fake API knows only two kinds, so helm fails right after the check.
      expect(await tryUpgrade(gateway(version), home)).toContain('no matches for kind "Job"');
    },
  );

  test('is refused when it skips a version, with the right one', async () => {
    const said = await tryUpgrade(gateway(`${major}.${minor + 2}.0`), home);
    expect(said).toContain(`${major}.${minor + 2}.0 is installed and this chart is ${appVersion}`);
    expect(said).toContain('restore the backup from before the upgrade; see UPGRADING.md');
    expect(said).not.toContain('no matches for kind');
  });

  test.each([
    ['single', 'split', gateway(appVersion)],
    ['split', 'single', single],
  ])('is refused when mode %s would start beside the data of mode %s', async (mode, was, installed) => {
    const said = await tryUpgrade(installed, { ...home, mode });
    expect(said).toContain(
      `this release is mode ${was}, and mode ${mode} would begin with an empty database`,
    );
    expect(said).toContain('dump it, helm uninstall');
  });
});
