import { readFileSync } from 'node:fs';
import { eventually } from '@hearth/testkit';
import { startNats } from '@hearth/testkit/nats';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { bytes, startReceiving } from './test-support.ts';

const document = readFileSync(new URL('../../../docs/kubernetes.md', import.meta.url), 'utf8');
const [, configuration = ''] = document.match(/```\n# nats.conf\n(.*?)```/s) ?? [];
const stops: (() => Promise<unknown>)[] = [];
let server: Awaited<ReturnType<typeof startNats>>;

beforeAll(async () => {
  const more = configuration.replaceAll(/\$(HOME_[AB])\b/g, '"of $1"');
  server = await startNats({ more });
});

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  await server.stop();
});

const urlOf = (user: string) =>
  server.url.replace('//', `//${user}:${encodeURIComponent(`of ${user.toUpperCase()}`)}@`);

async function operatorOf(user: string): Promise<NatsConnection> {
  const connection = await connect({ servers: server.url, user, pass: `of ${user.toUpperCase()}` });
  stops.push(() => connection.close());
  return connection;
}

test("two homes with the accounts of docs/kubernetes.md share one NATS, and neither reads or removes the other's data", async () => {
  const heardByB: string[] = [];
  const b = await operatorOf('home_b');
  b.subscribe('>', { callback: (_error, message) => void heardByB.push(message.subject) });
  await b.flush();

  // The name is the same in both: only the account separates them.
  for (const user of ['home_a', 'home_b']) {
    const { bus, received } = await startReceiving({ url: urlOf(user) });
    stops.push(() => bus.close());
    if (user === 'home_b') heardByB.length = 0;
    await bus.publish({ subject: 'message.sent', id: `id of ${user}`, events: [bytes(`from ${user}`)] });
    await eventually(() => received.length > 0);
    expect(received).toEqual([`from ${user}`]);
    if (user === 'home_a') {
      expect(heardByB.filter((subject) => subject.includes('message'))).toEqual([]);
      expect(await (await jetstreamManager(b)).streams.list().next()).toEqual([]);
    }
  }
  expect(heardByB.some((subject) => subject.includes('message.sent'))).toBe(true);
  const ofA = await (await jetstreamManager(await operatorOf('home_a'))).streams.list().next();
  expect(ofA.map(({ state }) => state.messages)).toEqual([1]);
});

test('a home with a wrong password is told that the password is wrong', async () => {
  const wrong = connect({ servers: server.url, user: 'home_a', pass: 'of HOME_B' });
  await expect(wrong).rejects.toThrow('Authorization Violation');
});
