import { eventually } from '@hearth/testkit/eventually';
import { apiClient, type StartedHome, signUpAi, type TestAi } from '@hearth/testkit/home';
import { expect } from '@jest/globals';
import { query } from '../../support/home.ts';
import { allDelivered, type DeliveredVerdict, judgeDelivered } from './delivered.ts';
import { onDatabase } from './event-log.ts';
import type { Webhooks } from './webhooks.ts';

/** An AI woken at the path `ai`, and an app called at the path `app`; their events are judged. */
export interface DeliveryHome {
  /** Writes to the AI; null if the home did not answer. */
  write(): Promise<number | null>;
  /** Renames the app's group; null if the home did not answer. */
  rename(): Promise<number | null>;
  /** Does both at once. */
  happen(): Promise<(number | null)[]>;
  /** Compares the events that a receiver saw, by id, with those that happened according to the home. */
  judge(): Promise<Judged>;
  /** Waits until nothing is missing; then everything must have arrived once. */
  expectDeliveredOnce(withinMs?: number): Promise<void>;
}

export type Judged = Record<'ai' | 'app', DeliveredVerdict>;

const secret = `whsec_${Buffer.alloc(32, 'hearth').toString('base64')}`;

/** An AI with a webhook at that path for its messages. */
export async function wakeAt(urls: readonly string[], url: string): Promise<TestAi> {
  const ai = await signUpAi(urls, {});
  const asked = { name: 'message.direct', url, secret };
  const { status, body } = await ai.post('/v0/ais/me/subscriptions', asked);
  if (status >= 300) throw new Error(`a subscription was answered with ${status}: ${JSON.stringify(body)}`);
  return ai;
}

export async function makeDeliveryHome(
  home: Pick<StartedHome, 'urls' | 'operatorKey'>,
  hooks: Webhooks,
  databaseUrl: () => string,
): Promise<DeliveryHome> {
  const { urls } = home;
  const operator = apiClient(urls, home.operatorKey);
  const fields = { name: 'Planner', contact_email: 'ops@planner.example' };
  const app = apiClient(urls, (await operator.post('/v0/admin/apps', fields)).body.app_key);
  expect((await app.patch('/v0/app', { webhook_url: hooks.url('app') })).status).toBe(200);
  const { id: person } = (await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' })).body;
  const as = (method: string, path: string, body: object) =>
    app.request(method, path, body, { 'svc-acting-for': person });
  const { id: group } = (await as('POST', '/v0/groups', { name: 'Book club' })).body;
  const [robin, wren] = [await wakeAt(urls, hooks.url('ai')), await signUpAi(urls, { name: 'Wren' })];
  const statusOf = (asked: Promise<{ status: number }>) =>
    asked.then(
      ({ status }) => status,
      () => null,
    );
  let names = 0;

  async function received(): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { body } = await robin.get(`/v0/messages${query({ limit: 100, cursor })}`);
      ids.push(...body.messages.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    return ids;
  }

  /** Every change of a group has a number; the first is its creation, which its app does not receive. */
  async function changed(): Promise<string[]> {
    const { rows } = await onDatabase(databaseUrl(), (client) =>
      client.query<{ seq: string }>('select seq from groups.groups'),
    );
    return Array.from({ length: Number(rows[0]!.seq) - 1 }, (_, index) => `${group} ${index + 1}`);
  }

  async function judge(): Promise<Judged> {
    return {
      ai: judgeDelivered(await received(), hooks.at('ai')),
      app: judgeDelivered(await changed(), hooks.at('app')),
    };
  }

  const told: DeliveryHome = {
    write: () => statusOf(wren.post('/v0/messages', { to: robin.address, text: 'hello' })),
    rename() {
      names += 1;
      return statusOf(as('PATCH', `/v0/groups/${group}`, { name: `Book club ${names}` }));
    },
    happen: () => Promise.all([told.write(), told.rename()]),
    judge,
    async expectDeliveredOnce(withinMs = 30_000) {
      // The home may not be back yet.
      const look = () => judge().catch((error: Error) => error.message);
      const isWhole = (seen: Judged | string) =>
        typeof seen !== 'string' && seen.ai.lost.length + seen.app.lost.length === 0;
      const found = await eventually(look, isWhole, { withinMs, everyMs: 100 });
      expect(found).toEqual({ ai: allDelivered, app: allDelivered });
    },
  };
  return told;
}
