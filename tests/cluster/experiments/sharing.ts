import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { createClient } from 'redis';
import { type ClusterHome, install, sharingHomes } from '../../../scripts/cluster/homes.ts';
import { run } from '../../../scripts/tools/run.mjs';
import { kept, later, must, mustKeepAll, sleep, talkAcross, talkInside, underTraffic } from '../support.ts';

const [homeC, homeD] = sharingHomes as readonly [ClusterHome, ClusterHome];
const userOf = ({ release }: ClusterHome) => release.replace('-', '_');
const password = 'trial';

/** A data server that both homes use, in the namespace `data`: one pod with a volume. */
function part(name: string, port: number, user: number, container: object): object[] {
  const labels = { app: name };
  const metadata = { name, namespace: 'data' };
  const mounts = [
    { name: 'data', mountPath: '/data', subPath: name },
    { name: 'run', mountPath: '/var/run/postgresql' },
    { name: 'tmp', mountPath: '/tmp' },
    { name: 'config', mountPath: '/etc/data' },
  ];
  const pod = {
    securityContext: { runAsUser: user, runAsGroup: user, fsGroup: user },
    containers: [{ name, image: `localhost/${name}:1`, volumeMounts: mounts, ...container }],
    volumes: [
      { name: 'run', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      { name: 'config', configMap: { name: 'config' } },
    ],
  };
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '4Gi' } } };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { clusterIP: 'None', selector: labels, ports: [{ port }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        serviceName: name,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: pod },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
      },
    },
  ];
}

const parts = ['postgres', 'nats', 'redis'];
const untilReady = (name: string) => [
  ...['-n', 'data', 'rollout', 'status', `statefulset/${name}`, '--timeout=120s'],
];

function startData(): void {
  const accounts = sharingHomes.map((home) => {
    const user = userOf(home);
    return `${user.toUpperCase()} { jetstream: {max_file: 4G}, users: [{user: ${user}, password: $PASSWORD}] }`;
  });
  const conf = `jetstream { store_dir: /data }\naccounts {\n${accounts.join('\n')}\n}\n`;
  const env = Object.entries({
    PGDATA: '/data/pg',
    POSTGRES_USER: 'postgres',
    POSTGRES_DB: 'none',
    POSTGRES_PASSWORD: password,
  });
  const ready = { exec: { command: ['pg_isready', '-h', '127.0.0.1'] }, periodSeconds: 1, timeoutSeconds: 5 };
  const listens = (port: number) => ({ tcpSocket: { port }, periodSeconds: 1 });
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'data' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'config', namespace: 'data' },
      data: { 'nats.conf': conf },
    },
    ...part('postgres', 5432, 70, {
      args: ['-c', 'max_connections=300'],
      env: env.map(([name, value]) => ({ name, value })),
      readinessProbe: ready,
    }),
    ...part('nats', 4222, 1000, {
      args: ['-c', '/etc/data/nats.conf'],
      env: [{ name: 'PASSWORD', value: password }],
      readinessProbe: listens(4222),
    }),
    ...part('redis', 6379, 999, {
      args: ['--save', '', '--protected-mode', 'no'],
      readinessProbe: listens(6379),
    }),
  ];
  run('kubectl', ['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  for (const name of parts) run('kubectl', untilReady(name));
}

const addressOf = (name: string) =>
  run('kubectl', ['-n', 'data', 'get', 'pod', `${name}-0`, '-o', 'jsonpath={.status.podIP}']);

async function query(user: string, database: string, ...texts: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ host: addressOf('postgres'), user, password, database });
  await client.connect();
  try {
    for (const text of texts.slice(0, -1)) await client.query(text);
    return await client.query(texts.at(-1)!);
  } finally {
    await client.end();
  }
}

/** Creates a home's own database, accessible only to its owner, unless an earlier run did. */
async function makeDatabase(home: ClusterHome): Promise<void> {
  const name = userOf(home);
  const { rowCount } = await query('postgres', 'postgres', `select from pg_roles where rolname = '${name}'`);
  if (rowCount === 0)
    await query(
      'postgres',
      'postgres',
      `create role ${name} login password '${password}'`,
      `create database ${name} owner ${name}`,
      `revoke connect on database ${name} from public`,
    );
}

/** Installs as in docs/kubernetes.md, migrating first, as it says for an external Postgres. */
function installOn(home: ClusterHome): void {
  const user = userOf(home);
  const secrets = {
    database: { uri: `postgres://${user}:${password}@postgres.data:5432/${user}` },
    nats: { url: `nats://${user}:${password}@nats.data:4222` },
  };
  const more = {
    embedded: { enabled: false },
    database: { existingSecret: { name: 'database' } },
    nats: { existingSecret: { name: 'nats' } },
    redis: { url: 'redis://redis.data:6379' },
    migrations: { mode: 'hook' },
  };
  install(
    home,
    (program, input) => run(program[0]!, program.slice(1), input === undefined ? {} : { input }),
    more,
    secrets,
  );
}

async function streamsOf(home: ClusterHome): Promise<string[]> {
  const connection = await connect({ servers: addressOf('nats'), user: userOf(home), pass: password });
  const list = await (await jetstreamManager(connection)).streams.list().next();
  await connection.close();
  return list.map(({ config }) => config.name);
}

async function redisKeys(): Promise<string[]> {
  const client = createClient({ url: `redis://${addressOf('redis')}:6379` });
  await client.connect();
  const keys = await client.keys('*');
  client.destroy();
  return keys;
}

/**
 * Two homes on one Postgres, NATS and Redis: they write to each other, neither finds the other's data, and the loss of
 * a server loses nothing of either. Uninstalling one leaves the other alone.
 */
export async function sharing(): Promise<void> {
  startData();
  for (const home of sharingHomes) {
    await makeDatabase(home);
    installOn(home);
    run('helm', ['test', home.release, '--namespace', home.release, '--timeout', '3m']);
  }
  const talk = async () => {
    for (const home of sharingHomes) await talkInside(home);
    return [await talkAcross(homeC, homeD), await talkAcross(homeD, homeC)];
  };
  const across = await talk();
  const keys = await redisKeys();
  const isOfOne = (key: string) => sharingHomes.some(({ name }) => key.includes(name));
  must('each key in Redis carries a home', keys.length > 0 && keys.every(isOfOne), keys);
  const found = await underTraffic(
    'sharing',
    async (step) => {
      for (const name of parts)
        await step(`kill ${name}`, async () => {
          await later('kubectl', ['-n', 'data', 'delete', 'pod', `${name}-0`, '--force', '--grace-period=0']);
          await later('kubectl', untilReady(name));
          await sleep(5_000);
        });
    },
    { home: homeC },
  );
  mustKeepAll(found);
  const streams = [await streamsOf(homeC), await streamsOf(homeD)];
  must(
    'each finds its own stream alone',
    streams.every(({ length }) => length === 1) && streams[0]![0] !== streams[1]![0],
    streams,
  );
  for (const [home, other] of [sharingHomes, sharingHomes.toReversed()] as [ClusterHome, ClusterHome][]) {
    const error = await query(userOf(home), userOf(other), 'select 1').catch(({ message }) => message);
    must(
      `${home.name} is kept out of the other database`,
      String(error).includes('permission denied'),
      error,
    );
  }
  const open =
    'select datname, count(*)::int from pg_stat_activity where datname is not null group by 1 order by 1';
  const { rows: connections } = await query('postgres', 'postgres', open);
  kept('sharing-data', { across, after: await talk(), streams, keys: keys.length, connections });
  console.log(`  ${JSON.stringify({ across, connections })}`);
  const uninstall = ({ release }: ClusterHome) =>
    run('helm', ['uninstall', release, '--namespace', release, '--wait', '--timeout', '5m']);
  uninstall(homeD);
  await talkInside(homeC);
  uninstall(homeC);
}
