import { day, second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { backoffBefore, svcHeaders } from '@hearth/webhooks';
import { states } from '../../shared/db/destinations.ts';
import type { OutboundKind, Outcome } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';
import { parkApp } from '../db/app-events.ts';
import {
  type AppSendRow,
  findDue,
  type Health,
  nextDueSql,
  type SettledSend,
  settleAppSends,
} from '../db/app-sends.ts';
import { recordAppDisabled } from './metrics.ts';

const timeoutMs = 10 * second;
const gone = 410;
/** An accepted but unconfirmed deletion is sent again after this time. */
const unconfirmedMs = day;
/** An address that only fails for this long is disabled. */
const failingMs = 5 * day;
const parallel = 8;

/** App events as a kind of sends of the outbound engine. */
export function createAppKind(
  context: Pick<Context, 'apps' | 'clock' | 'database' | 'ids' | 'log' | 'outbound' | 'random'>,
): OutboundKind<AppSendRow> {
  const { apps, clock, database, ids, log, outbound, random } = context;
  const chance = () => (random.bytes(1)[0] ?? 0) / 255;

  /** Returns the sends of apps that have an address; parks the sends of apps without one. */
  async function withAddress(sends: AppSendRow[]): Promise<AppSendRow[]> {
    const without = new Set<string>();
    for (const id of new Set(sends.map(({ destination }) => destination))) {
      if ((await apps.find(id))?.url || (await apps.fetch(id))?.url) continue;
      without.add(id);
      await database.statement((tx) => parkApp(tx, id));
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
      const posted = await outbound.post({ url: app.url, headers, body: send.body, timeoutMs, signal });
      return posted === null ? null : { send, ...posted };
    },
    async settle(outcomes) {
      const now = new Date(clock.now());
      const disabled = await database.statement((tx) =>
        settleAppSends(tx, {
          sends: outcomes.map((outcome) => settled(outcome, now, chance())),
          health: healthOf(outcomes).map((health) => ({ ...health, mail: ids.uuid() })),
          now,
          failsFrom: new Date(now.getTime() - failingMs),
        }),
      );
      for (const { app, why } of disabled) {
        recordAppDisabled({ why });
        log.warn({ app: printId('app', app), why }, "an app's webhook address was disabled");
      }
      if (disabled.length > 0) outbound.poke(disabled.map(({ mail }) => mail));
    },
  };
}

/** Returns the send after an attempt. */
function settled(outcome: Outcome<AppSendRow>, now: Date, chance: number): SettledSend {
  const { send, at, ms, status, error } = outcome;
  const backoff = backoffAfter(outcome, chance);
  const ended = error === null ? states.delivered : states.failed;
  return {
    app: send.destination,
    id: send.id,
    at: send.at,
    status: backoff === null ? ended : states.waiting,
    dueAt: backoff === null ? null : new Date(now.getTime() + backoff),
    attempt: { at, status, ms, error },
  };
}

/** Returns the delay until the next attempt in ms; null if there is none. */
function backoffAfter(
  { send, error, status, retryAfterMs }: Outcome<AppSendRow>,
  chance: number,
): number | null {
  const daily = send.unconfirmed ? Math.round(unconfirmedMs * (0.9 + 0.2 * chance)) : null;
  if (error === null || status === gone) return daily;
  return backoffBefore(send.attempts + 1, chance, retryAfterMs) ?? daily;
}

/** Returns the health of each address after these attempts, in the order in which they ended. */
function healthOf(outcomes: readonly Outcome<AppSendRow>[]): Omit<Health, 'mail'>[] {
  const byApp = new Map<string, Omit<Health, 'mail'>>();
  const inOrder = [...outcomes].sort((one, other) => one.at.getTime() - other.at.getTime());
  for (const { send, at, error, status } of inOrder) {
    // A replay that the app asked for does not affect the address's health.
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
