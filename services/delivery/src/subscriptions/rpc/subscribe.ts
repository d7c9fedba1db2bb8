import { day, hour, minute } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import { fixed } from '@hearth/limits';
import type { SubscriptionsService } from '@hearth/proto/delivery/v1/subscriptions';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { verifyAddress } from '../../shared/actions/verify-address.ts';
import { destinationKinds, touchDestinations } from '../../shared/db/destinations.ts';
import { checkLimits } from '../actions/check-limits.ts';
import { noteWakes } from '../actions/note-wakes.ts';
import { type AskedSubscription, readSubscribe } from '../actions/read-subscribe.ts';
import type { Context } from '../context.ts';
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
import { openSecret, sealSecret } from '../domain/secrets.ts';
import { showSubscription } from '../domain/show-subscription.ts';
import { freshState, renewed, type SubscriptionState } from '../domain/subscription-state.ts';
import { throughOf } from '../domain/through.ts';

const longestMs = fixed.subscription_days * day;
/** Keeps AIs from renewing constantly. */
const shortestMs = minute;
/** How long the old secret still signs after a rotation. */
const overlapMs = fixed.subscription_secret_overlap_hours * hour;
/** The most wake-ups resent at once; if the AI missed more, `truncated` says that the earliest are missing. */
const mostResent = 10_000;

interface Subscribed {
  row: ListedSubscription;
  truncated: boolean;
  /** The health before the renewal. */
  health: SubscriptionState;
}

/** Creates a subscription, or renews it if the AI, event, address and group are the same. */
export const subscribe =
  (context: Context): UnaryHandler<typeof SubscriptionsService.method.subscribe> =>
  async (request, call) => {
    const { clock, database, outbound, streams } = context;
    const { caller } = call;
    const asked = await readSubscribe(context, request, call);
    await streams.prepare(asked);
    // Checked before calling a stranger's address, and again when the subscription is written.
    await checkLimits(context, database.db, { ...asked, now: new Date(clock.now()), caller });
    const { ai, id, secret, url } = asked;
    const headers = { 'x-mcp-subscription-id': printId('sub', id) };
    await verifyAddress(context, { party: ai, field: 'url', url, secrets: [secret], headers }, call);
    const now = new Date(clock.now());
    const { row, truncated, health } = await database.transaction((tx) =>
      write(context, tx, { asked, caller, now }),
    );
    outbound.poke([row.id]);
    await noteWakes(context, ai);
    return showSubscription(row, { now, truncated, health });
  };

async function write(
  context: Context,
  tx: Tx,
  { asked, caller, now }: { asked: AskedSubscription; caller: Caller; now: Date },
): Promise<Subscribed> {
  const { streams } = context;
  const { ai, id } = asked;
  // From here on, recording waits for this transaction; earlier wake-ups are seen below.
  const { last_number: last } = await streams.hold(tx, asked, now);
  const isNew = await checkLimits(context, tx, { ai, id, now, caller });
  const known = isNew ? null : await lockSubscription(tx, id);
  const health = known ?? freshState;
  const { state, gapDueAt } = renewed(health, now);
  await saveSubscription(tx, rowOf(context, { asked, caller, known, state, now }), now);
  if (isNew) await insertStart(tx, ai, now);
  if (gapDueAt !== undefined) await resumeGap(tx, id, gapDueAt);
  const truncated = await resend(context, tx, asked, { last, now });
  await touchDestinations(tx, destinationKinds.subscription, [id], now);
  return { row: await readSubscription(tx, id), truncated, health };
}

function rowOf(
  { sealer }: Context,
  given: {
    asked: AskedSubscription;
    caller: Caller;
    known: SubscriptionRow | null;
    state: SubscriptionState;
    now: Date;
  },
): SubscriptionRow {
  const { asked, caller, known, state, now } = given;
  const { ai, group, groupReference, id, maxAgeMs, name, secret, ttlMs, url } = asked;
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
    ...{ group, groupReference },
    url,
    maxAgeMs,
    refreshBefore: new Date(now.getTime() + lastsMs),
    createdAt: known?.createdAt ?? now,
    endedAt: null,
    through: throughOf(caller),
  };
}

/** Queues the wake-ups after the given cursor; returns whether some are missing. */
async function resend(
  { streams }: Context,
  tx: Tx,
  { ai, group, id, maxAgeMs, name, place }: AskedSubscription,
  { last, now }: { last: number; now: Date },
): Promise<boolean> {
  if (place === null) return false;
  // The position is beyond the end of the stream.
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
