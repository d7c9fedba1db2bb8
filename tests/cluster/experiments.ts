import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { make as makeCertificate } from '../../scripts/cluster/certificates.ts';
import { type ClusterHome, chart, homes, valuesOf } from '../../scripts/cluster/homes.ts';
import { socketOf } from '../../scripts/cluster/import-images.ts';
import { addressOf, host, nodeName, root, state } from '../../scripts/cluster/settings.ts';
import { worldAddress } from '../../scripts/cluster/system.ts';
import { run } from '../../scripts/tools/run.mjs';
import { allDelivered } from '../faults/support/delivered.ts';
import { sharing } from './sharing.ts';
import {
  ask,
  deploymentOf,
  type Exchange,
  exchange,
  type Found,
  get,
  homeA,
  homeB,
  kept,
  kubectl,
  later,
  must,
  mustKeepAll,
  podsOf,
  services,
  settled,
  signUp,
  sleep,
  talkAcross,
  talkInside,
  underTraffic,
  urlOf,
  urlOfPod,
} from './support.ts';
import { together } from './together.ts';
import { startWakes } from './wakes.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of Kubernetes.
type Resource = any;

/** Both homes serve: every pod is ready, helm test holds, a message answers a held poll. */
async function serve(): Promise<void> {
  for (const home of homes) {
    settled(home);
    run('helm', ['test', home.release, '--namespace', home.release, '--timeout', '3m']);
    await talkInside(home);
  }
}

/** Connections of pods, each as the policies want it; `reached` is one that nothing listens for. */
async function policies(): Promise<void> {
  const addressOfPod = (home: ClusterHome, part: string) => podsOf(home, part)[0].status.podIP;
  const service = (home: ClusterHome, part: string) => `${home.release}-hearth-${part}`;
  const tries: [home: ClusterHome, part: string, host: string, port: number, want: 'open' | 'closed'][] = [
    [homeA, 'gateway', service(homeA, 'identity'), 9090, 'open'],
    [homeA, 'messages', service(homeA, 'postgres'), 5432, 'open'],
    [homeA, 'federation', worldAddress, 443, 'open'],
    [homeA, 'messages', worldAddress, 443, 'closed'],
    [homeA, 'messages', addressOfPod(homeA, 'gateway'), 8080, 'closed'],
    [homeA, 'gateway', addressOfPod(homeB, 'identity'), 9090, 'closed'],
    [homeA, 'messages', addressOfPod(homeB, 'postgres'), 5432, 'closed'],
    [homeB, 'delivery', addressOfPod(homeA, 'nats'), 4222, 'closed'],
    [homeA, 'federation', '169.254.169.254', 80, 'closed'],
    [homeA, 'federation', host, 6443, 'closed'],
    [homeA, 'federation', addressOf(1), 10250, 'closed'],
    [homeA, 'federation', addressOfPod(homeB, 'gateway'), 8080, 'closed'],
  ];
  const found = tries.map(([home, part, to, port, want]) => {
    const pod = podsOf(home, part)[0].metadata.name;
    const look = `const s=require('net').connect({host:'${to}',port:${port},timeout:3000},()=>{console.log('open');s.destroy()});
      s.on('error',()=>console.log('closed'));s.on('timeout',()=>{console.log('closed');s.destroy()})`;
    const { stdout } = spawnSync(
      'kubectl',
      ['-n', home.release, 'exec', pod, '--', '/usr/bin/node', '-e', look],
      {
        encoding: 'utf8',
      },
    );
    return {
      from: `${home.release}/${part}`,
      to: `${to}:${port}`,
      want,
      is: stdout.trim().split('\n').at(-1),
    };
  });
  kept('policies', { found });
  const wrong = found.filter(({ want, is }) => want !== is);
  must('policies hold', wrong.length === 0, wrong);
}

/** Every service is replaced, pod by pod, and no request fails. */
async function rolls(): Promise<void> {
  const found = await underTraffic('rolls', async (step) => {
    for (const service of services) await step(`restart ${service}`, () => restart(service));
  });
  mustKeepAll(found);
  must('no request fails while services are replaced', found.errors === 0, found);
}

/** One pod of each service is taken away by force, and the process of one is killed. */
async function kills(): Promise<void> {
  const found = await underTraffic('kills', async (step) => {
    for (const service of services)
      await step(`kill ${service}`, async () => {
        const [pod] = podsOf(homeA, service);
        kubectl(homeA, 'delete', 'pod', pod.metadata.name, '--force', '--grace-period=0');
        await sleep(1_000);
        await status(service);
      });
    for (const service of services)
      await step(`kill -9 ${service}`, async () => {
        const [{ spec, status: of }] = podsOf(homeA, service);
        const id = of.containerStatuses[0].containerID.replace('containerd://', '');
        const socket = socketOf(Number(spec.nodeName.replace('node', '')));
        run('ctr', ['-a', socket, '-n', 'k8s.io', 'task', 'kill', '-s', 'SIGKILL', id]);
        await sleep(5_000);
        await status(service);
      });
  });
  mustKeepAll(found);
}

/** How many tables have the column that the next version adds, as a service of the home sees them. */
function columnsOfNext(): number {
  const sql = "select count(*)::int as n from information_schema.columns where column_name = 'next'";
  const look = `const c = new (require('pg').Client)(process.env.DATABASE_URL);
    c.connect().then(() => c.query(${JSON.stringify(sql)})).then(({ rows }) => { console.log(rows[0].n); return c.end(); })`;
  return Number(kubectl(homeA, 'exec', deploymentOf(homeA, 'messages'), '--', '/usr/bin/node', '-e', look));
}

/** To the next image, which changes every table, and back to one that does not know of it; secrets stay as they are. */
async function upgrades(): Promise<void> {
  const secret = () => get(homeA, 'secret', `${homeA.release}-hearth-secrets`);
  const before = secret();
  const values = {
    ...valuesOf(homeA),
    image: { tag: `${JSON.parse(run('cat', [`${root}/package.json`])).version}-next` },
  };
  const helm = ['upgrade', homeA.release, chart, '--namespace', homeA.release, '--values', '-'];
  const imagesOf = () =>
    get(homeA, 'deployments').items.map((item: Resource) => item.spec.template.spec.containers[0].image);
  // From the image of this version, whichever an earlier run left.
  run('helm', [...helm, '--wait', '--timeout', '10m'], { input: JSON.stringify(valuesOf(homeA)) });
  settled(homeA);
  const [old] = imagesOf();
  const found = await underTraffic('upgrades', async (step) => {
    await step('helm upgrade', async () => {
      await later('helm', [...helm, '--wait', '--timeout', '10m'], JSON.stringify(values));
      for (const service of services) await status(service);
      must(
        'every service has the next image',
        imagesOf().every((image: string) => image === `${old}-next`),
        imagesOf(),
      );
      const columns = columnsOfNext();
      console.log(`  ${columns} tables have a column that this version does not know`);
      must('the tables are those of the next version', columns > 50, columns);
    });
    await step('helm rollback', rollBack);
  });
  must(
    'every service has the image from before',
    imagesOf().every((image: string) => image === old),
    imagesOf(),
  );
  const after = secret();
  must('the Secret is the same object with the same data', after.metadata.uid === before.metadata.uid);
  must('and the same data', JSON.stringify(after.data) === JSON.stringify(before.data));
  mustKeepAll(found);
  must('no request fails while the home is upgraded', found.errors === 0, found);
}

/** Brings the first home back to its release of before. */
function rollBack(): Promise<unknown> {
  const { release } = homeA;
  return later('helm', ['rollback', release, '--namespace', release, '--wait', '--timeout', '10m']);
}

/** Waits until a pod of a service says these words in its log: one that does not start. */
async function said(service: string, words: string): Promise<void> {
  const pods = `app.kubernetes.io/instance=${homeA.release},app.kubernetes.io/component=${service}`;
  for (const end = performance.now() + minutes(2); ; await sleep(2_000)) {
    // A pod that is only just made has no log yet.
    const log = await later('kubectl', ['-n', homeA.release, 'logs', '-l', pods, '--tail=20']).catch(String);
    if (log.includes(words)) return;
    must(`a pod of ${service} says: ${words}`, performance.now() < end, log);
  }
}

/** Values that name another home: the new pods say why they do not start, the old ones serve, and a rollback ends it. */
async function name(): Promise<void> {
  const other = 'other.example.org';
  const values = JSON.stringify(valuesOf({ ...homeA, name: other }));
  const found = await underTraffic('name', async (step) => {
    await step('helm upgrade to another home.name', async () => {
      await later(
        'helm',
        ['upgrade', homeA.release, chart, '--namespace', homeA.release, '--values', '-'],
        values,
      );
      for (const service of services)
        await said(service, `this is the database of the home ${homeA.name}, and HEARTH_HOME is ${other}`);
    });
    await step('helm rollback', async () => {
      await rollBack();
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
}

/**
 * HEARTH_PEER_SECRET changes. A rollout beside services that have the one before stops at its first pod, which says why; with all of
 * them stopped it changes, as docs/kubernetes.md has it.
 */
async function secret(): Promise<void> {
  const { release } = homeA;
  const value = () => Buffer.from(randomBytes(24).toString('base64url')).toString('base64');
  const put = () => {
    const patch = JSON.stringify({ data: { HEARTH_PEER_SECRET: value() } });
    kubectl(homeA, 'patch', 'secret', `${release}-hearth-secrets`, '--type', 'merge', '--patch', patch);
  };
  const all = `app.kubernetes.io/instance=${release}`;
  const scaleAll = (count: number) =>
    later('kubectl', ['-n', release, 'scale', 'deployment', `--replicas=${count}`, '-l', all]);
  const found = await underTraffic('secret', async (step) => {
    const errors = await step('a rollout stops', async () => {
      put();
      for (const service of services) {
        kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
        await said(service, 'HEARTH_PEER_SECRET must be the same for all services of the home');
      }
    });
    must('a rollout that stops costs no request', errors === 0, errors);
    await step('all stop, and start with another', async () => {
      await scaleAll(0);
      const running = `${all},hearth.part=service,app.kubernetes.io/component!=migrate`;
      const gone = ['wait', 'pod', '--for=delete', '--timeout=120s', '-l', running];
      await later('kubectl', ['-n', release, ...gone]);
      await scaleAll(homeA.replicas);
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  await talkInside();
}

/** A node is drained within the budgets, and comes back. */
async function drain(): Promise<void> {
  const node = nodeName(2);
  const found = await underTraffic('drain', async (step) => {
    await step('drain', () =>
      later('kubectl', ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=500s']),
    );
    await step('all ready elsewhere', async () => {
      for (const service of services) await status(service);
    });
    run('kubectl', ['uncordon', node]);
    await step('spread again', async () => {
      for (const service of services) kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  must('no request fails while a node is drained', found.errors === 0, found);
}

/**
 * The link of a node is cut, as when its machine dies, and comes back after a minute. Requests to a gateway of the other node are answered
 * within five seconds; those to the Service find the lost one too, until Kubernetes has noticed.
 */
async function loss(): Promise<void> {
  const stays = podsOf(homeA, 'gateway').find(({ spec }: Resource) => spec.nodeName === nodeName(1));
  must('a gateway is on the node that stays', stays !== undefined);
  const url = urlOfPod(homeA, stays.status.podIP);
  let exchanged: Exchange[] = [];
  const found = await underTraffic('loss', async (step) => {
    const [from, to] = [await signUp(url, 'Robin'), await signUp(url, 'Kim')];
    const other = exchange(url, from, to);
    await step('a node answers nothing for 60 s', async () => {
      run('ip', ['link', 'set', 'link2', 'down']);
      await sleep(60_000);
    });
    exchanged = await other.end();
    await step('it is back', async () => {
      run('ip', ['link', 'set', 'link2', 'up']);
      run('kubectl', ['wait', '--for=condition=Ready', `node/${nodeName(2)}`, '--timeout=120s']);
      for (const service of services) await status(service);
    });
  });
  const slowest = Math.max(...exchanged.map(({ milliseconds }) => milliseconds));
  kept('loss-other-node', { slowest, exchanged });
  console.log(`  by the other node: ${exchanged.length} exchanges, the slowest took ${slowest} ms`);
  mustKeepAll(found);
  must('what comes by the other node is answered within 5 s', slowest <= 5_000, exchanged);
}

/** Each part of the data is restarted, and then killed; what it cost is over within half a minute. */
async function data(): Promise<void> {
  const url = urlOf(homeA);
  const [from, to] = [await signUp(url, 'Robin'), await signUp(url, 'Kim')];
  const took: Record<string, number> = {};
  const found = await underTraffic('data', async (step) => {
    for (const part of ['nats', 'redis', 'postgres'])
      for (const [how, ...flags] of [['restart'], ['kill', '--force', '--grace-period=0']])
        await step(`${how} ${part}`, async () => {
          const name = `${homeA.release}-hearth-${part}`;
          const other = exchange(url, from, to);
          await later('kubectl', ['-n', homeA.release, 'delete', 'pod', `${name}-0`, ...flags]);
          const until = ['rollout', 'status', `statefulset/${name}`, '--timeout=120s'];
          await later('kubectl', ['-n', homeA.release, ...until]);
          await sleep(5_000);
          took[`${how} ${part}`] = Math.max(...(await other.end()).map(({ milliseconds }) => milliseconds));
        });
  });
  kept('data-exchanges', { slowest_ms: took });
  console.log(`  slowest exchanges: ${JSON.stringify(took)}`);
  mustKeepAll(found);
  must('each exchange is through within 30 s', Math.max(...Object.values(took)) <= 30_000, took);
}

/** No way from one home to the other for five minutes: neither notices in its own work, and all arrives once and in order when it is back. */
async function link(): Promise<void> {
  const [a, b] = [urlOf(homeA), urlOf(homeB)];
  const [robin, kim] = [await signUp(a, 'Robin'), await signUp(b, 'Kim')];
  const kimAbroad = `${kim.address.slice(1)}@${homeB.name}`;
  const texts: string[] = [];
  const write = async () => {
    const text = `Number ${texts.length}`;
    texts.push(text);
    await ask(a, '/v0/messages', robin.key, {
      to: kimAbroad,
      text,
      request_id: `link-${process.pid}-${texts.length}`,
    });
  };
  const seen: string[] = [];
  let last: string | undefined;
  const read = async (wait: number) => {
    const after = last === undefined ? '' : `&since=${last}`;
    const { messages } = await ask(b, `/v0/messages?unread=true&wait=${wait}&limit=100${after}`, kim.key);
    seen.push(...messages.map(({ text }: Resource) => text));
    last = messages.at(-1)?.id ?? last;
  };
  await write();
  for (let tries = 0; seen.length < 1 && tries < 4; tries += 1) await read(10);
  must('a message goes over before', seen.length === 1, seen);
  const cut = ['INPUT', '-d', worldAddress, '-p', 'tcp', '--dport', '443', '-j', 'DROP'];
  let inside: Exchange[] = [];
  run('iptables', ['-I', ...cut]);
  try {
    const own = exchange(a, await signUp(a, 'Ada'), await signUp(a, 'Bo'));
    const until = performance.now() + minutes(5);
    while (performance.now() < until) {
      await write();
      await sleep(5_000);
    }
    inside = await own.end();
    await read(1);
    must('nothing goes over meanwhile', seen.length === 1, seen);
  } finally {
    run('iptables', ['-D', ...cut]);
  }
  const began = performance.now();
  while (seen.length < texts.length && performance.now() - began < minutes(6)) await read(20);
  const back = Math.round((performance.now() - began) / 1000);
  // A second copy would come after.
  await read(5);
  const repeats = inside.reduce((sum, one) => sum + one.repeats, 0);
  kept('link', {
    written: texts.length,
    arrived: seen.length,
    seconds_until_all_arrived: back,
    inside: inside.length,
    repeats,
  });
  console.log(`  ${texts.length} messages, all there ${back} s after the link was`);
  must('all arrive once and in order', JSON.stringify(seen) === JSON.stringify(texts), { seen, texts });
  must('the home itself goes on without an error', repeats === 0 && inside.length > 100, inside);
}

/** A gateway is replaced under 1,000 held polls. */
async function holders(): Promise<void> {
  const found = await underTraffic(
    'holders',
    async (step) => {
      await step('restart gateway', () => restart('gateway'));
    },
    { holders: 1_000 },
  );
  const { wake_ms: wake, slowest_ms: slowest } = found as Found & Record<string, Record<string, number>>;
  console.log(`  wake ${JSON.stringify(wake)}, slowest ${JSON.stringify(slowest)}`);
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
  must('each poll is answered within 5 s of its own wait', (slowest?.['poll'] ?? Infinity) <= 5_000, slowest);
  must('99 of 100 are woken within 500 ms', (wake?.['p99'] ?? Infinity) < 500, wake);
}

/** The signing key gets a successor and the seal key is changed, under traffic, as docs/kubernetes.md has it. */
async function keys(): Promise<void> {
  const name = `${homeA.release}-hearth-secrets`;
  const hearth = (...args: string[]) => {
    const program = [
      '/usr/bin/node',
      '/app/entry.mjs',
      'hearth',
      ...args,
      '--json',
      '--site',
      'http://127.0.0.1:8080',
    ];
    return JSON.parse(kubectl(homeA, 'exec', deploymentOf(homeA, 'gateway'), '--', ...program));
  };
  const put = (stringData: Record<string, string | null>) => {
    const data = Object.fromEntries(
      Object.entries(stringData).map(([key, value]) => [
        key,
        value === null ? null : Buffer.from(value).toString('base64'),
      ]),
    );
    kubectl(homeA, 'patch', 'secret', name, '--type', 'merge', '--patch', JSON.stringify({ data }));
  };
  const restartAll = async () => {
    for (const service of services) await restart(service);
  };
  const before = Buffer.from(get(homeA, 'secret', name).data['HEARTH_SEAL_KEY'], 'base64').toString();
  const next = randomBytes(32).toString('base64url');
  const found = await underTraffic('keys', async (step) => {
    await step('the signing key gets a successor', () => {
      const states = () => hearth('key', 'list').keys.map(({ status: state }: Resource) => state);
      // A cluster that ran this before has one, for two days.
      if (!states().includes('next')) hearth('key', 'rotate');
      must('there is a next key', states().includes('next'), states());
    });
    await step('every process opens what the next key seals', async () => {
      put({ HEARTH_SEAL_KEY_OTHER: next });
      await restartAll();
    });
    await step('every process seals with it', async () => {
      put({ HEARTH_SEAL_KEY: next, HEARTH_SEAL_KEY_OTHER: before });
      await restartAll();
    });
    await step('what the key before sealed is sealed anew', async () => {
      hearth('key', 'reseal');
      for (const end = performance.now() + minutes(2); ; await sleep(1_000)) {
        const { seal } = hearth('key', 'list');
        const left = seal.places.filter(({ remaining }: Resource) => remaining !== 0);
        if (seal.asked_at !== undefined && left.length === 0) break;
        must('it is sealed anew within two minutes', performance.now() < end, seal);
      }
    });
    await step('the key before goes', async () => {
      put({ HEARTH_SEAL_KEY_OTHER: null });
      await restartAll();
    });
  });
  mustKeepAll(found);
  must('no request fails while keys change', found.errors === 0, found);
  run('helm', ['test', homeA.release, '--namespace', homeA.release, '--timeout', '3m']);
  await federation();
}

/** Ways that would lose the data or leave a version out: refused in words, and the home goes on as it was. */
async function paths(): Promise<void> {
  const { release } = homeA;
  const state = () =>
    get(homeA, 'deployments').items.map(({ metadata }: Resource) => [metadata.name, metadata.generation]);
  const before = JSON.stringify(state());
  const refuse = (from: string, values: object, words: string) => {
    const args = ['upgrade', release, from, '--namespace', release, '--values', '-'];
    const { status: code, stderr } = spawnSync('helm', args, {
      encoding: 'utf8',
      input: JSON.stringify({ ...valuesOf(homeA), ...values }),
    });
    must(`helm refuses it: ${words}`, code !== 0 && stderr.includes(words), { code, stderr });
  };
  const elsewhere = mkdtempSync(join(tmpdir(), 'hearth-chart-'));
  try {
    cpSync(chart, elsewhere, { recursive: true });
    const file = join(elsewhere, 'Chart.yaml');
    const text = readFileSync(file, 'utf8');
    const [, major, minor] = text.match(/^appVersion: (\d+)\.(\d+)/m) ?? [];
    const version = `${major}.${Number(minor) + 2}.0`;
    writeFileSync(file, text.replace(/^appVersion: .*/m, `appVersion: ${version}`));
    refuse(elsewhere, {}, `this chart is ${version}, which leaves versions out`);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
  refuse(chart, { mode: 'single' }, 'mode single would begin with an empty database');
  refuse(chart, { embedded: { enabled: false } }, 'mode split needs a Postgres');
  must('nothing of the home has changed', JSON.stringify(state()) === before);
  await talkInside();
}

/** The two homes know each other as homes of the world do: by https at their names, without any allowance. */
async function federation(): Promise<void> {
  kept('federation', { milliseconds: await talkAcross(homeA, homeB) });
}

/** Services show each other certificates, and the home serves as before. */
async function tls(): Promise<void> {
  const { release } = homeB;
  const items = services.map((service) => {
    const name = `${release}-hearth-${service}-tls`;
    makeCertificate(name, `/CN=${service}`, [`DNS:${service}`]);
    const [tlsCert, tlsKey, ca] = [`${name}.crt`, `${name}.key`, 'ca.crt'].map((file) =>
      readFileSync(join(state, 'pki', file), 'utf8'),
    );
    const stringData = { 'tls.crt': tlsCert, 'tls.key': tlsKey, 'ca.crt': ca };
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name, namespace: release },
      stringData,
    };
  });
  run('kubectl', ['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const upgrade = [
    'upgrade',
    release,
    chart,
    '--namespace',
    release,
    '--values',
    '-',
    '--wait',
    '--timeout',
    '6m',
  ];
  run('helm', upgrade, { input: JSON.stringify({ ...valuesOf(homeB), tls: { enabled: true } }) });
  run('helm', ['test', release, '--namespace', release, '--timeout', '3m']);
  await talkInside(homeB);
}

/** Uninstall leaves what it says: volumes, and the Secret that was made. */
async function uninstall(): Promise<void> {
  const { release } = homeB;
  run('helm', ['uninstall', release, '--namespace', release, '--wait', '--timeout', '5m']);
  kubectl(homeB, 'wait', '--for=delete', 'pod', '--all', '--timeout=120s');
  const kinds = run('kubectl', ['api-resources', '--namespaced', '--verbs=list', '-o', 'name'])
    .trim()
    .split('\n');
  const listed = kubectl(
    homeB,
    'get',
    kinds.filter((kind) => !/event|endpoint/.test(kind)).join(','),
    '-o',
    'name',
  );
  const left = listed
    .trim()
    .split('\n')
    .filter((name) => name.includes('hearth') && !name.endsWith('-tls'));
  kept('uninstall', { left });
  must(
    'volumes and the Secret stay, and nothing else',
    left.every((name) => /^(persistentvolumeclaim|secret)\//.test(name)) && left.length === 3,
    left,
  );
}

/**
 * The services that messages and wake-ups go through are scaled up and down, one by one and all at once, while AIs are woken at their
 * webhooks too: each wake-up comes, under one id.
 */
async function scale(): Promise<void> {
  const each = ['gateway', 'messages', 'delivery'];
  const turns: [services: string[], pods: number][] = [
    ...[3, 1].flatMap((pods) => each.map((service): [string[], number] => [[service], pods])),
    ...[3, 1, 2].map((pods): [string[], number] => [each, pods]),
  ];
  const wakes = await startWakes('scale', urlOf(homeA));
  try {
    const found = await underTraffic('scale', async (step) => {
      for (const [scaled, pods] of turns)
        await step(`${scaled.join(', ')}: ${pods}`, () =>
          Promise.all(scaled.map((service) => scaleTo(service, pods))),
        );
    });
    const woken = await wakes.end();
    mustKeepAll(found);
    must('no request fails while services are scaled', found.errors === 0, found);
    must('each wake-up comes, under one id', JSON.stringify(woken) === JSON.stringify(allDelivered), woken);
  } finally {
    await wakes.stop();
  }
}

/** Autoscaling is switched on under traffic: each service keeps its pods until the autoscaler, which has no metrics here, says otherwise. */
async function autoscaling(): Promise<void> {
  const { release } = homeA;
  const defaults = { ...valuesOf(homeA).defaults, autoscaling: { enabled: true, minReplicas: 1 } };
  const values = JSON.stringify({ ...valuesOf(homeA), defaults });
  const pods = () => get(homeA, 'deployments').items.map(({ spec }: Resource) => spec.replicas);
  const helm = ['--namespace', release, '--wait', '--timeout', '10m'];
  const found = await underTraffic('autoscaling', async (step) => {
    await step('helm upgrade', () =>
      later('helm', ['upgrade', release, chart, '--values', '-', ...helm], values),
    );
    const kept = pods();
    must(
      'each service keeps its pods',
      kept.every((count: number) => count === homeA.replicas),
      kept,
    );
    const scalers = get(homeA, 'horizontalpodautoscalers').items.length;
    must('each service has an autoscaler', scalers === services.length, scalers);
    await step('helm rollback', rollBack);
  });
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
}

/** Waits until so many pods serve, and those that are too many have ended. */
async function scaleTo(service: string, count: number): Promise<void> {
  await later('kubectl', ['-n', homeA.release, 'scale', deploymentOf(homeA, service), `--replicas=${count}`]);
  await status(service);
  await sleep(10_000);
}

const minutes = (count: number) => count * 60_000;

/** Replaces the pods of a service, and waits until the new ones are there. */
async function restart(service: string): Promise<void> {
  kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
  await status(service);
}

/** rollout status without holding the traffic of this process up. */
const status = (service: string) =>
  later('kubectl', [
    '-n',
    homeA.release,
    'rollout',
    'status',
    deploymentOf(homeA, service),
    '--timeout=400s',
  ]);

export const experiments = {
  serve,
  policies,
  federation,
  together,
  rolls,
  kills,
  data,
  upgrades,
  paths,
  name,
  drain,
  loss,
  link,
  holders,
  scale,
  autoscaling,
  keys,
  secret,
  sharing,
  tls,
  uninstall,
};
