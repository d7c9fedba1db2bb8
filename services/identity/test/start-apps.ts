import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nowDate } from '@hearth/clock';
import { sql } from '@hearth/db';
import { parseId } from '@hearth/ids';
import { type EventData, eventType } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { asApp, operator, startService } from '@hearth/testkit';
import { identity } from '../src/service.ts';

export { operator };

export const siteUrl = 'https://hearth.example';

export type TestApps = Awaited<ReturnType<typeof startApps>>;

/** Identity among fakes, called as the gateway calls it. */
export async function startApps(env: Record<string, string> = {}) {
  const home = await startService([identity], {
    env: { HEARTH_SITE_URL: siteUrl, ...env },
    logLevel: 'debug',
  });
  return {
    ...home,
    apps: home.client(AppsService),
    identity: home.client(IdentityService),
    /** A uuid that is used nowhere yet. */
    uuid: () => home.ids.uuid(),
    /** The events of that type that were announced, in order. */
    announced: async (type: string) =>
      (await home.events('identity')).filter(({ data }) => eventType(data as EventData) === type),
  };
}

export interface MadeApp {
  uuid: string;
  /** app_... */
  id: string;
  key: string;
  secret: string;
  caller: Caller;
}

export async function makeApp({ apps }: TestApps, fields: object = {}): Promise<MadeApp> {
  const answer = await apps.createApp(
    { name: 'Team Planner', contactEmail: 'ops@planner.example', ...fields },
    { caller: operator },
  );
  const id = answer.app!.id;
  const uuid = parseId('app', id)!;
  return { uuid, id, key: answer.appKey!, secret: answer.signingSecret!, caller: asApp(uuid) };
}

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A person as the database holds them; answers their uuid. */
export async function insertPerson(
  { clock, database, uuid }: TestApps,
  fields: {
    app?: string | null;
    ageBand?: string;
    aiShare?: boolean;
    guest?: boolean;
    deletedAt?: Date | null;
    name?: string;
  } = {},
): Promise<string> {
  const { app = null, ageBand = 'adult', aiShare = false, guest = false, deletedAt = null } = fields;
  const id = uuid();
  await database.statement((tx) =>
    tx.execute(sql`
      insert into identity.people (id, handle, name, age_band, age_source, ai_share, guest, app, time_zone,
        created_at, deleted_at)
      values (${id}, ${`p${id.slice(-12)}`}, ${fields.name ?? 'Ada Lovelace'}, ${ageBand}, 'self', ${aiShare}, ${guest},
        ${app}, 'UTC', ${nowDate(clock)}, ${deletedAt})`),
  );
  return id;
}

/** An AI with a key, as the database holds them. */
export async function insertAi(
  { clock, database, uuid }: TestApps,
  fields: { owner?: string | null; groupApp?: string | null; permissions?: string[]; revoked?: boolean } = {},
): Promise<{ uuid: string; key: string }> {
  const { owner = null, groupApp = null, permissions = ['read', 'message'], revoked = false } = fields;
  const [id, key] = [uuid(), `hearth_ai_${uuid()}`];
  const now = nowDate(clock);
  await database.transaction(async (tx) => {
    await tx.execute(sql`
      insert into identity.ais (id, address, name, platform, owner, status, permissions, group_id, group_app,
        revoked_at, created_at)
      values (${id}, ${`@x.ai-${id.slice(-12)}`}, 'Robin', 'other', ${owner},
        ${owner === null ? 'unclaimed' : 'claimed'}, ${permissions},
        ${groupApp === null ? null : uuid()}, ${groupApp}, ${revoked ? now : null}, ${now})`);
    await tx.execute(sql`
      insert into identity.keys (id, ai, hash, prefix, created_at)
      values (${uuid()}, ${id}, ${sha256(key)}, 'hearth_ai_', ${now})`);
  });
  return { uuid: id, key };
}

export interface Hook {
  origin: string;
  url: string;
  /** The requests that arrived, the newest last. */
  received: { headers: Record<string, unknown>; body: string }[];
  /** Sets the answer from now on: a status, or nothing at all. */
  answer(status: number | 'nothing'): void;
  close(): Promise<void>;
}

/** A webhook address on this machine. */
export async function startHook(): Promise<Hook> {
  const received: Hook['received'] = [];
  let status: number | 'nothing' = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      if (status === 'nothing') return request.socket.destroy();
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/elsewhere' } : {});
      return response.end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/hook`,
    received,
    answer: (given) => {
      status = given;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
