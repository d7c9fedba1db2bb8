import { type Clock, day, second } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { GuardedHttp } from '@hearth/guarded-http';
import { printId, type Random } from '@hearth/ids';
import type { Logger } from '@hearth/telemetry';
import { svcHeaders, waitBefore } from '@hearth/webhooks';
import { post } from '../../outbound/actions/post.ts';
import { shelveApp } from '../../shared/db/app-streams.ts';
import type { OutboundKind, Outcome } from '../../shared/domain/outbound-kind.ts';
import { states } from '../db/app-events.ts';
import {
  type AppSendRow,
  findDue,
  type Health,
  nextDueSql,
  type SettledSend,
  settleAppSends,
} from '../db/app-sends.ts';
import type { Apps } from './apps.ts';
import { recordAppDisabled } from './metrics.ts';

export interface AppKindContext {
  apps: Pick<Apps, 'find' | 'look'>;
  clock: Clock;
  database: Database;
  http: Pick<GuardedHttp, 'request'>;
  log: Logger;
  random: Pick<Random, 'bytes'>;
}

export type AppSend = AppSendRow;

const timeoutMs = 10 * second;
const gone = 410;
/** A deletion that was taken and is not confirmed is told again after this. */
const unconfirmedMs = day;
/** Of failures alone, until an address is disabled. */
const failingMs = 5 * day;
const parallel = 8;

/** Events of apps, as the engine sends them. */
export function createAppKind(context: AppKindContext): OutboundKind<AppSend> {
  const { apps, clock, database, http, log, random } = context;
  const chance = () => (random.bytes(1)[0] ?? 0) / 255;

  /** What still waits for an app without an address: it was made while the app had one. */
  async function withAddress(sends: AppSend[]): Promise<AppSend[]> {
    const without = new Set<string>();
    for (const id of new Set(sends.map(({ destination }) => destination))) {
      if ((await apps.find(id))?.url || (await apps.look(id))?.url) continue;
      without.add(id);
      await database.statement((tx) => shelveApp(tx, id));
    }
    return sends.filter(({ destination }) => !without.has(destination));
  }

  return {
    number: 1,
    name: 'app',
    parallel,
    nextDueSql,
    async due(now, questions) {
      return await withAddress(await findDue(database.db, now, questions));
    },
    async attempt(send, signal) {
      const app = await apps.find(send.destination);
      if (app === null || app.url === '') return null;
      const headers = svcHeaders(app.secrets, clock.now(), send.body);
      const posted = await post(
        { clock, http },
        { url: app.url, headers, body: send.body, timeoutMs, signal },
      );
      return posted === null ? null : { send, ...posted };
    },
    async settle(outcomes) {
      const now = new Date(clock.now());
      const disabled = await database.statement((tx) =>
        settleAppSends(tx, {
          sends: outcomes.map((outcome) => settled(outcome, now, chance())),
          health: healthOf(outcomes),
          now,
          failsFrom: new Date(now.getTime() - failingMs),
        }),
      );
      for (const { app, why } of disabled) {
        recordAppDisabled({ why });
        log.warn({ app: printId('app', app), why }, "an app's webhook address was disabled");
      }
    },
  };
}

/** What becomes of an event by an attempt. */
function settled(outcome: Outcome<AppSend>, now: Date, chance: number): SettledSend {
  const { send, at, ms, status, error } = outcome;
  const wait = waitAfter(outcome, chance);
  const ended = error === null ? states.delivered : states.failed;
  return {
    app: send.destination,
    id: send.id,
    at: send.at,
    status: wait === null ? ended : states.waiting,
    dueAt: wait === null ? null : new Date(now.getTime() + wait),
    attempt: { at, status, ms, error },
  };
}

/** How long until it is sent again; null: never. */
function waitAfter({ send, error, status, retryAfterMs }: Outcome<AppSend>, chance: number): number | null {
  const daily = send.unconfirmed ? Math.round(unconfirmedMs * (0.9 + 0.2 * chance)) : null;
  if (error === null || status === gone) return daily;
  return waitBefore(send.attempts + 1, chance, retryAfterMs) ?? daily;
}

/** What the attempts say of each address, in the order in which they ended. */
function healthOf(outcomes: readonly Outcome<AppSend>[]): Health[] {
  const byApp = new Map<string, Health>();
  const inOrder = [...outcomes].sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { send, at, error, status } of inOrder) {
    // What an app asked for once more does not count for or against it.
    if (send.replay) continue;
    const before = byApp.get(send.destination) ?? {
      failedAt: null,
      taken: false,
      takenAt: null,
      gone: false,
    };
    const isGone = before.gone || status === gone;
    byApp.set(send.destination, {
      app: send.destination,
      gone: isGone,
      lastError: error,
      ...(error === null
        ? { failedAt: null, taken: true, takenAt: at }
        : { failedAt: before.failedAt ?? at, taken: before.taken, takenAt: before.takenAt }),
    });
  }
  return [...byApp.values()];
}
