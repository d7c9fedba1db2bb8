import { eventually } from '@hearth/testkit';
import { freePort } from '@hearth/testkit/free-port';
import { startNats } from '@hearth/testkit/nats';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { bytes, startReceiving } from './test-support.ts';

const names = ['one', 'two', 'three'] as const;
type Name = (typeof names)[number];
const servers = new Map<Name, Awaited<ReturnType<typeof startNats>>>();
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const ports = await Promise.all(names.map(() => freePort()));
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  await Promise.all(
    names.map(async (name, index) => {
      const cluster = `cluster { name: c, listen: "127.0.0.1:${ports[index]}", routes: [${routes}] }`;
      servers.set(name, await startNats({ more: `server_name: ${name}\n${cluster}` }));
    }),
  );
});

afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  await Promise.all([...servers.values()].map((server) => server.stop()));
});

test('a consumer whose leader has died asks the next leader at once', async () => {
  const operator = await connect({ servers: servers.get('one')!.url });
  stops.push(() => operator.close());
  const manager = await once(() => jetstreamManager(operator, { timeout: 1_000 }));
  const { bus, received } = await startReceiving({
    url: servers.get('one')!.url,
    limits: { replicas: 3 },
  });
  stops.push(() => bus.close());
  const publish = (word: string) => bus.publish({ subject: 'message.sent', id: word, events: [bytes(word)] });
  await once(() => publish('before'));
  await eventually(() => received.length > 0);

  const leader = async () => (await manager.consumers.info('home-event', 'delivery')).cluster?.leader;
  // The server that the bus is connected to must survive.
  const first = await once(async () => {
    const now = await leader();
    if (now !== 'one') return now as Name;
    await operator.request('$JS.API.CONSUMER.LEADER.STEPDOWN.home-event.delivery');
    return undefined;
  });
  await servers.get(first)!.stop();
  await once(async () => ![undefined, '', first].includes(await leader()));
  await once(() => publish('after'));
  await eventually(
    () => received.includes('after'),
    (seen) => seen,
    { withinMs: 5_000 },
  );
  expect(received).toEqual(['before', 'after']);
});

/** The first useful answer: a cluster rejects requests during an election. */
async function once<Answer>(ask: () => Promise<Answer>): Promise<Exclude<Answer, undefined | false>> {
  const answered = (seen: Answer | undefined) => seen !== undefined && seen !== false;
  const pace = { withinMs: 30_000, everyMs: 100 };
  return (await eventually(() => ask().catch(() => undefined), answered, pace)) as Exclude<
    Answer,
    undefined | false
  >;
}
