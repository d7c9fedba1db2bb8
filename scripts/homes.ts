// npm run homes -- [--ports 8081,8082] [--tour]    starts two homes on this machine that know each other, and shows a
// message there and back, and an ask with its answer; with --tour they end afterwards. Their data stays in data/homes.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

interface Home {
  name: string;
  process: ChildProcess;
}

interface Ai {
  home: Home;
  name: string;
  /** Its address as the other home writes it. */
  address: string;
  key: string;
}

const { values } = parseArgs({
  options: { ports: { type: 'string', default: '8081,8082' }, tour: { type: 'boolean', default: false } },
});
const ports = values.ports.split(',').map(Number);
if (ports.length !== 2 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
  throw new Error('--ports takes two ports, such as --ports 8081,8082');
const names = ports.map((port) => `localhost:${port}`);
const root = join(import.meta.dirname, '..');

function start(index: number): Home {
  const name = names[index]!;
  const child = spawn(process.execPath, ['--no-warnings', join(root, 'services', 'home', 'src', 'main.ts')], {
    env: {
      ...process.env,
      PORT: String(ports[index]),
      HEARTH_BIND: '127.0.0.1',
      HEARTH_HOME: name,
      HEARTH_SITE_URL: `http://${name}`,
      HEARTH_DEV_HOMES: names[1 - index]!,
      HEARTH_DATA: join(root, 'data', 'homes', String(ports[index])),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { name, process: child };
}

async function ready({ name, process: child }: Home): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://${name}/ready`).catch(() => null);
    if (answer?.ok) return;
    if (child.exitCode !== null) throw new Error(`${name} ended; its own words say why`);
    await sleep(200);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
async function call(home: Home, path: string, key?: string, body?: object): Promise<any> {
  const answer = await fetch(`http://${home.name}/v0${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  });
  const said = (await answer.json()) as { error?: string };
  if (!answer.ok) throw new Error(`${path} at ${home.name}: ${said.error}`);
  return said;
}

async function signUp(home: Home, name: string): Promise<Ai> {
  const { ai, connector_key: key } = await call(home, '/agents', undefined, { name });
  return { home, name, address: `${ai.address.slice(1)}@${home.name}`, key };
}

const nextMessage = async ({ home, key }: Ai) =>
  (await call(home, '/messages?unread=true&wait=25', key)).messages[0];
const say = (text: string) => console.log(text);

async function tour(one: Home, other: Home): Promise<void> {
  const [robin, wren] = [await signUp(one, 'Robin'), await signUp(other, 'Wren')];
  say(`Robin signed up at ${one.name}: ${robin.address}`);
  say(`Wren signed up at ${other.name}: ${wren.address}`);
  const held = nextMessage(wren);
  const sent = await call(one, '/messages', robin.key, {
    to: wren.address,
    text: 'Hello from the other home!',
  });
  say(`\nRobin writes to ${wren.address}: delivery ${sent.delivery}`);
  const message = await held;
  say(
    `Wren's held poll answers: ${message.from} says "${message.text}" (name verified: ${message.name_verified})`,
  );
  const back = nextMessage(robin);
  await call(other, `/messages/${message.id}/reply`, wren.key, { text: 'Hello back!' });
  const answer = await back;
  say(`Robin's held poll answers: ${answer.from} says "${answer.text}", in the thread ${answer.thread}`);
  let delivery = '';
  for (let tries = 0; delivery !== 'delivered' && tries < 100; tries += 1) {
    ({ delivery } = await call(one, `/messages/${sent.id}`, robin.key));
    if (delivery !== 'delivered') await sleep(100);
  }
  say(`The first message is ${delivery} now.`);
  const approval = await askAndAnswer(robin, wren);
  if (values.tour) return;
  say(`
Go on in another terminal:

  export ROBIN=${robin.key}
  export WREN=${wren.key}
  curl -s "http://${other.name}/v0/messages?unread=true&wait=25" -H "authorization: Bearer $WREN" &
  curl -s http://${one.name}/v0/messages -H "authorization: Bearer $ROBIN" -H 'content-type: application/json' \\
    -d '{"to":"${wren.address}","text":"Once more"}'

The operators of both look at each other:

  HEARTH_DATA=data/homes/${ports[0]} ./hearth home show ${other.name} --site http://${one.name}
  HEARTH_DATA=data/homes/${ports[1]} ./hearth home check ${one.name} --site http://${other.name}

The record, with the keys of both homes:

  curl -s http://${one.name}/v0/approvals/${approval} -H "authorization: Bearer $ROBIN" > ask.json
  node -p 'JSON.stringify(require("./ask.json").signed_answer)' |
    ./hearth record verify - --ask ask.json --home <(curl -s http://${one.name}/.well-known/service.json) --home <(curl -s http://${other.name}/.well-known/service.json)

Ctrl-C ends both homes; the next start goes on with the same data.`);
}

/** Robin asks Wren, who answers at her own home; the record names both homes. Returns the ask's id. */
async function askAndAnswer(robin: Ai, wren: Ai): Promise<string> {
  const title = 'Which train shall I book?';
  const choices = ['9:30', '11:00'];
  const ask = await call(robin.home, '/approvals', robin.key, { title, choices, to: [wren.address] });
  say(`\nRobin asks ${wren.address}: ${title} (${choices.join(', ')}), status ${ask.status}`);
  const settled = call(robin.home, `/approvals/${ask.id}?wait=25`, robin.key);
  for (let tries = 0; tries < 100; tries += 1) {
    const { asks } = await call(wren.home, '/remote-asks', wren.key);
    if (asks.length > 0) {
      const [{ ref, home, from }] = asks;
      say(`Wren's list of remote asks: ${from} asks at ${home}; she answers ${ref}`);
      await call(wren.home, `/approvals/${ref}/reply`, wren.key, { decision: 'approved', answer: '11:00' });
      break;
    }
    await sleep(100);
  }
  const { status, signed_answer: record } = await settled;
  const [answer] = record.answers;
  say(`Robin's held request answers: ${status}, "${answer.answer}"`);
  say(`${record.home} signed the record; it holds the act that ${answer.home} signed (${answer.item.id}).`);
  return ask.id;
}

const homes = [start(0), start(1)] as const;
const end = () => {
  for (const home of homes) home.process.kill('SIGTERM');
};
process.once('SIGINT', end);
process.once('SIGTERM', end);
const ended = Promise.all(homes.map((home) => new Promise((resolve) => home.process.once('exit', resolve))));
try {
  say(`Starting ${names.join(' and ')} ...`);
  await Promise.all(homes.map(ready));
  await tour(...homes);
  if (values.tour) end();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  end();
}
await ended;
