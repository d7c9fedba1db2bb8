import { day, minute } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Caller, Handlers } from '@hearth/rpc';
import { touchDestinations } from '../../shared/db/destinations.ts';
import { activeMs } from '../../streams/actions/streams.ts';
import { challenge } from '../actions/challenge.ts';
import { checkLimits } from '../actions/check-limits.ts';
import { type AskedSubscription, readSubscribe } from '../actions/read-subscribe.ts';
import type { SubscriptionsContext } from '../context.ts';
import {
  insertStart,
  type ListedSubscription,
  lockSubscription,
  readSubscription,
  resendWakeUps,
  resumeGap,
  type SubscriptionRow,
  saveSubscription,
} from '../db/subscriptions.ts';
import { isVerified, noteVerified } from '../db/verified-addresses.ts';
import { openSecret, sealSecret } from '../domain/secrets.ts';
import { showSubscription } from '../domain/show-subscription.ts';
import { freshState, renewed, type SubscriptionState } from '../domain/subscription-state.ts';

const longestMs = 7 * day;
/** So that nobody renews all the time. */
const shortestMs = minute;
/** An address that gave back a challenge is not asked again for so long. */
export const verifiedMs = 30 * day;
/** Both secrets sign for so long after one took the place of the other. */
const overlapMs = day;
/** The most wake-ups that are sent again at once; who missed more is told that the beginning is missing. */
const mostResent = 10_000;

interface Subscribed {
  row: ListedSubscription;
  truncated: boolean;
  /** How deliveries went before. */
  health: SubscriptionState;
}

/** Makes a subscription, or renews it: the same AI, event, address and group again. */
export const subscribe =
  (context: SubscriptionsContext): Handlers<typeof SubscriptionsService>['subscribe'] =>
  async (request, call) => {
    const { clock, database, outbound, streams, tellReach } = context;
    const asked = await readSubscribe(context, request, call);
    await streams.prepare(asked);
    await verify(context, asked, call);
    const now = new Date(clock.now());
    const { row, truncated, health } = await database.transaction((tx) =>
      write(context, tx, { asked, caller: call.caller, now }),
    );
    outbound.kick([row.id]);
    await tellReach(asked.ai);
    return showSubscription(streams, row, { now, truncated, health });
  };

/** Nothing is sent to an address that did not give back a challenge for this AI. */
async function verify(
  context: SubscriptionsContext,
  { ai, id, url, secret }: AskedSubscription,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
): Promise<void> {
  const { clock, database } = context;
  const now = new Date(clock.now());
  // Before a stranger's address is called; it counts once more when it is written.
  await checkLimits(context, database.db, { ai, id, now, caller });
  if (await isVerified(database.db, ai, url, new Date(now.getTime() - verifiedMs))) return;
  await challenge(context, { url, subscription: printId('sub', id), secret, signal });
  await database.statement((tx) => noteVerified(tx, ai, url, new Date(clock.now())));
}

async function write(
  context: SubscriptionsContext,
  tx: Tx,
  { asked, caller, now }: { asked: AskedSubscription; caller: Caller; now: Date },
): Promise<Subscribed> {
  const { streams } = context;
  const { ai, id, person } = asked;
  // What is recorded from here on waits until this is written, and what was before is seen below.
  const until = new Date(now.getTime() + activeMs);
  const { last } = await streams.hold(tx, { ai, person, now, until });
  const isNew = await checkLimits(context, tx, { ai, id, now, caller });
  const known = isNew ? null : await lockSubscription(tx, id);
  const health = known ?? freshState;
  const { state, gapDueAt } = renewed(health, now);
  await saveSubscription(tx, rowOf(context, { asked, known, state, now }), now);
  if (isNew) await insertStart(tx, ai, now);
  if (gapDueAt !== undefined) await resumeGap(tx, id, gapDueAt);
  const truncated = await resend(context, tx, asked, { last, now });
  await touchDestinations(tx, 2, [id], now);
  return { row: await readSubscription(tx, id), truncated, health };
}

function rowOf(
  { sealer }: SubscriptionsContext,
  given: {
    asked: AskedSubscription;
    known: SubscriptionRow | null;
    state: SubscriptionState;
    now: Date;
  },
): SubscriptionRow {
  const { asked, known, state, now } = given;
  const { ai, group, id, maxAgeMs, name, secret, ttlMs, url } = asked;
  const lastsMs = Math.min(Math.max(ttlMs ?? longestMs, shortestMs), longestMs);
  const same = known !== null && openSecret(sealer, id, known.secret).equals(secret);
  const secrets = same
    ? { secret: known.secret, oldSecret: known.oldSecret, oldSecretUntil: known.oldSecretUntil }
    : {
        secret: sealSecret(sealer, id, secret),
        oldSecret: known?.secret ?? null,
        oldSecretUntil: known === null ? null : new Date(now.getTime() + overlapMs),
      };
  return {
    ...state,
    recent: state.recent.map(([slot, attempts, failures]) => [slot, attempts, failures]),
    ...secrets,
    id,
    ai,
    name,
    group,
    url,
    maxAgeMs,
    refreshBefore: new Date(now.getTime() + lastsMs),
    createdAt: known?.createdAt ?? now,
    endedAt: null,
  };
}

/** Queues what came after the cursor that was given; whether some of it is missing. */
async function resend(
  { streams }: SubscriptionsContext,
  tx: Tx,
  { ai, group, id, maxAgeMs, name, place }: AskedSubscription,
  { last, now }: { last: number; now: Date },
): Promise<boolean> {
  if (place === null) return false;
  // Nothing came later than what comes next.
  if (place.number > last) return false;
  const since = maxAgeMs === null ? null : new Date(now.getTime() - maxAgeMs);
  const { wakeUps, truncated } = await streams.after(tx, {
    ai,
    name,
    group,
    place,
    since,
    limit: mostResent,
  });
  if (wakeUps.length > 0) await resendWakeUps(tx, id, now, wakeUps);
  return truncated;
}
