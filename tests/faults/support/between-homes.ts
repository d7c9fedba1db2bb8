import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { freePort } from '@hearth/testkit/free-port';
import {
  createHomeDatabase,
  type StartedHome,
  signUpAi,
  startHomeInProcesses,
  type TestAi,
} from '@hearth/testkit/home';
import { startNats } from '@hearth/testkit/nats';
import { startRedis } from '@hearth/testkit/redis';
import { startTcpProxy, type TcpProxy } from '@hearth/testkit/tcp-proxy';
import { createClient } from 'redis';
import { attempt } from './attempt.ts';
import { killWriting } from './both-homes.ts';
import { bringBack } from './bring-back.ts';
import { onDatabase } from './event-log.ts';
import { judge, type SeenMessage, type SentMessage, type Verdict } from './verdict.ts';

/** The servers that one of the homes has besides Postgres. */
interface EndServers {
  /** Kills its NATS and restarts it empty. */
  wipeNats(): Promise<void>;
  flushRedis(): Promise<void>;
}

/** One of two one-process homes: the other home reaches it through `line`, its own AIs directly. */
export interface EndHome {
  /** Only the second home has NATS and Redis. */
  servers: EndServers | null;
  /** Shifts its clock by that much from now on. */
  shiftClock(ms: number): Promise<void>;
  home: StartedHome;
  line: TcpProxy;
  sql<T>(text: string, values?: unknown[]): Promise<T[]>;
  kill(): Promise<void>;
  /** kill -9 once it waits to write to that table. */
  killWriting(table: string, begin: () => Promise<unknown>): Promise<void>;
  restart(): Promise<void>;
  /** Saves its current database, and restores it; the process is stopped meanwhile. */
  keep(): Promise<void>;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** @param servers whether the second home has NATS and Redis */
export async function startEnds(servers = true): Promise<[EndHome, EndHome]> {
  const ports = [await freePort(), await freePort()];
  const ends = await Promise.all(
    ports.map(async (port, index) =>
      startEnd(port, `localhost:${ports[1 - index]}`, servers && index === 1 ? await startServers() : null),
    ),
  );
  return ends as [EndHome, EndHome];
}

async function startServers() {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  return {
    env: { NATS_URL: nats.url, REDIS_URL: redis.url },
    async wipeNats() {
      await nats.kill();
      await nats.wipe();
      await nats.start();
    },
    async flushRedis() {
      const client = createClient({ url: redis.url });
      await client.connect();
      await client.flushAll();
      client.destroy();
    },
    async stop() {
      await Promise.all([nats.stop(), redis.stop()]);
    },
  };
}

const shifting = join(import.meta.dirname, 'shifted-clock.mjs');

async function startEnd(
  port: number,
  other: string,
  servers: Awaited<ReturnType<typeof startServers>> | null,
): Promise<EndHome> {
  const [listen, database] = [await freePort(), await createHomeDatabase()];
  const line = await startTcpProxy(port, listen);
  const clockFile = join(tmpdir(), `hearth-clock-${globalThis.process.pid}-${port}`);
  const clockEnv = { NODE_OPTIONS: `--import=${shifting}`, SHIFTED_CLOCK: clockFile };
  const home = await startHomeInProcesses({
    topology: 'one',
    databaseUrl: database.url,
    env: { HEARTH_LIMITS: 'relaxed', ...clockEnv, ...servers?.env },
    among: { port, others: [other], listen },
  });
  const [process] = home.processes;
  const sql: EndHome['sql'] = (text, values) =>
    onDatabase(database.url, async (client) => (await client.query(text, values)).rows);
  const server = new URL(database.url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const copy = async (from: string, to: string) =>
    await onDatabase(server.href, async (client) => {
      await client.query(`drop database if exists ${to} with (force)`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from]);
      await client.query(`create database ${to} template ${from}`);
    });
  const end: EndHome = {
    ...{ home, line, sql, servers },
    async shiftClock(ms) {
      writeFileSync(clockFile, String(ms));
      await sleep(200);
    },
    kill: () => process!.kill(),
    async killWriting(table, begin) {
      const freeze = () => void globalThis.process.kill(process!.pid(), 'SIGSTOP');
      await killWriting(database.url, { tables: [table], begin, freeze, kill: () => process!.kill() });
    },
    async restart() {
      await bringBack(process!);
      await home.ready();
      for (const schema of ['identity', 'groups', 'approvals', 'messages', 'federation'])
        await sql(`update ${schema}.outbox set claimed_until = now() where published_in is null`);
      await sql('update federation.destinations set leased_until = now() where leased_until is not null');
    },
    async keep() {
      await end.kill();
      await copy(name, `${name}_kept`);
      await end.restart();
    },
    async restore() {
      await end.kill();
      await copy(`${name}_kept`, name);
      await end.restart();
    },
    async stop() {
      await home.stop();
      await Promise.all([line.stop(), servers?.stop()]);
      rmSync(clockFile, { force: true });
      await onDatabase(server.href, (client) =>
        client.query(`drop database if exists ${name}_kept with (force)`),
      );
      await database.drop();
    },
  };
  return end;
}

/** Messages between the AIs of the two homes, in both directions. */
export interface CrossTraffic {
  readonly sent: SentMessage[];
  /** Starts nothing new; resolves once all pending sends are acknowledged. */
  pause(): Promise<void>;
  go(): void;
  /** Resolves once everything acknowledged has arrived; returns the milliseconds. */
  arrived(withinMs: number): Promise<number>;
  verdict(): Promise<Verdict>;
  end(): void;
}

const everyMs = 120;

export async function startCrossTraffic(
  ends: readonly [EndHome, EndHome],
  run: string,
): Promise<CrossTraffic> {
  const ais = await Promise.all(
    ends.map(async ({ home }, index) => [
      await signUpAi(home.urls, { name: `Robin ${index}` }),
      await signUpAi(home.urls, { name: `Wren ${index}` }),
    ]),
  );
  const sent: SentMessage[] = [];
  const aborter = new AbortController();
  let paused = false;
  let inHand = 0;

  async function converse(side: number, from: number, to: number): Promise<void> {
    const [sender, there] = [ais[side]![from]!, ends[1 - side]!.home];
    const recipient = ais[1 - side]![to]!;
    const conversation = `${run} ${side}${from}-${to}`;
    let thread: string | undefined;
    for (let n = 1; !aborter.signal.aborted; n += 1) {
      while (paused && !aborter.signal.aborted) await sleep(20);
      const key = `${conversation} ${n}`;
      const message: SentMessage = { key, conversation, n, recipient: recipient.address };
      sent.push(message);
      inHand += 1;
      const address = `${recipient.address.slice(1)}@${there.name}`;
      const body = {
        text: key,
        request_id: key.replaceAll(' ', '-'),
        ...(thread ? { thread } : { to: address }),
      };
      while (message.acknowledged === undefined && !aborter.signal.aborted) {
        const url = ends[side]!.home.urls[0]!;
        const outcome = await attempt({
          ...{ url, method: 'POST', path: '/v0/messages', key: sender.key, body, withinMs: 15_000 },
          signal: aborter.signal,
        });
        if (outcome.kind === 'answer' && outcome.status < 300) {
          message.acknowledged = { id: outcome.body['id'], thread: outcome.body['thread'] };
          thread = outcome.body['thread'] as string;
        } else await sleep(150);
      }
      inHand -= 1;
      await sleep(everyMs);
    }
  }

  const conversations = [0, 1].flatMap((side) => [
    converse(side, 0, 0),
    converse(side, 0, 1),
    converse(side, 1, 0),
  ]);
  // The test reports a failed conversation itself.
  for (const conversation of conversations) conversation.catch(() => undefined);

  async function seen(): Promise<SeenMessage[]> {
    const lists = await Promise.all(
      ais.flatMap((pair, side) => pair.map((ai) => received(ends[side]!.home.urls[0]!, ai))),
    );
    // Each home has its own ids for a message and its thread: they match if they always occur together.
    const threads = new Map<string, string>();
    const byKey = new Map(sent.map((message) => [message.key, message]));
    return lists.flat().map(({ recipient, id, thread, text }) => {
      const known = byKey.get(text)?.acknowledged;
      if (known === undefined) return { recipient, id, thread, text };
      const first = threads.get(`${recipient} ${known.thread}`) ?? thread;
      threads.set(`${recipient} ${known.thread}`, first);
      return { recipient, text, id: known.id, thread: first === thread ? known.thread : thread };
    });
  }

  return {
    sent,
    async pause() {
      paused = true;
      await eventually(
        async () => inHand,
        (count) => count === 0,
        { everyMs: 50 },
      );
    },
    go() {
      paused = false;
    },
    async arrived(withinMs) {
      const began = performance.now();
      await eventually(
        async () => judge(sent, await seen()).lost,
        (lost) => lost.length === 0,
        { withinMs, everyMs: 250 },
      );
      return Math.round(performance.now() - began);
    },
    verdict: async () => judge(sent, await seen()),
    end: () => aborter.abort(),
  };
}

/** Everything that an AI received, oldest first. */
async function received(url: string, ai: TestAi): Promise<SeenMessage[]> {
  const found: SeenMessage[] = [];
  let cursor: string | null = null;
  do {
    const path = `/v0/messages?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page = await attempt({ url, path, key: ai.key, withinMs: 15_000 });
    if (page.kind !== 'answer' || page.status !== 200) return found;
    for (const { id, thread, text } of page.body['messages'])
      found.push({ recipient: ai.address, id, thread, text });
    cursor = page.body['next_cursor'] ?? null;
  } while (cursor !== null);
  return found.reverse();
}
