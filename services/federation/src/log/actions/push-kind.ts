import { second } from '@hearth/clock';
import { type Coalescer, createCoalescer } from '@hearth/coalesce';
import { signRequest } from '@hearth/http-signatures';
import { type OutboundKind, type Outcome, post, type Send } from '@hearth/outbound';
import { encodeBase64url } from '@hearth/signing';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { findDueLogs, lockLog, nextDueSql } from '../db/logs.ts';
import {
  deleteSent,
  insertSent,
  type OpenItem,
  type PushAsked,
  type SentItem,
  takeOpen,
} from '../db/sent-items.ts';
import type { SettledItem } from '../domain/announcements.ts';
import type { SentPush } from './answer.ts';
import { beginEpoch, homeKind, replaceBySkip, signingFor } from './append-items.ts';
import { applyOutcomes } from './apply-answer.ts';
import { createPace } from './pace.ts';
import { revokedKids, signedAgain } from './sign-item.ts';

/** A push as sent, with its items as this home stores them. */
export interface Pushed extends SentPush {
  of: readonly SettledItem['item'][];
}

/** A push to one home; its items are read when it is sent. */
export interface PushSend extends Send {
  home: string;
  /** From the log, at the time it was read. */
  failingSince: Date | null;
  /** Null if nothing was sent. */
  push: Pushed | null;
  /** A sentence; null if it could be sent. */
  problem: string | null;
}

const timeoutMs = 30 * second;
const answerBytes = 65_536;
/** Clock skew between processes of this home. */
const clockSlackMs = 5 * second;
const answerBytesOfItem = 512;
/** Pushes whose items are read in one statement: each may take hundreds of kilobytes. */
const pushesAtOnce = 8;
/** The most bytes of a push besides its items. */
const aroundItems = 1_024;

/** Pushes as a kind of sends of the engine: one in flight per home, repeated unchanged until it is answered. */
export function createPushKind(context: Omit<Context, 'engine'>): OutboundKind<PushSend> {
  const { clock, database, homes } = context;
  const pace = createPace();
  const takes: Takes = createCoalescer({
    name: 'batch of pushes read',
    maxBatch: pushesAtOnce,
    async run(asked) {
      const open = await database.statement((tx) => takeOpen(tx, asked, new Date(clock.now())));
      return asked.map(({ home }) => (open.has(home) ? open.get(home)! : []));
    },
  });
  return {
    number: homeKind,
    name: 'home',
    parallel: 1,
    async due(now, questions) {
      const idle = questions.filter(({ inHand }) => inHand.length === 0);
      const logs = await findDueLogs(
        database.db,
        idle.map(({ destination }) => destination),
        now,
      );
      return logs.map((log) => ({
        ...log,
        ...{ id: log.destination, orderKey: null, push: null, problem: null },
      }));
    },
    async attempt(send, signal) {
      const start = performance.now();
      const made = () => ({ send, at: new Date(clock.now()), ms: Math.round(performance.now() - start) });
      const reached = await homes.reach(send.home);
      if (reached.refused && reached.busy) return null;
      if (reached.refused) {
        const why = { send: { ...send, problem: reached.error } };
        return { ...made(), ...why, status: null, error: 'lookup_failed', retryAfterMs: null };
      }
      const { endpoint, limits } = reached;
      const waited = await pace.next(send.home, limits.requestsAMinute, signal).catch(() => null);
      if (waited === null) return null;
      const items = await readItems(context, takes, send, limits);
      if (items.length === 0) return { ...made(), status: null, error: null, retryAfterMs: null };
      const epoch = items[0]!.epoch;
      const push: Pushed = {
        epoch,
        items: items.map(({ id, rev, seq }) => ({ id: `r:${context.home}:${id}`, rev, seq })),
        of: items.map(({ home, service, type, id, rev }) => ({ home, service, type, id, rev })),
      };
      const body = bodyOf(context.home, send.home, epoch, items);
      const target = `${endpoint}/inbox`;
      const headers = signRequest(
        { method: 'POST', target, origin: context.home, destination: send.home, body },
        {
          key: context.keyRing.current.pair,
          now: clock.now(),
          nonce: encodeBase64url(context.random.bytes(16)),
        },
      );
      const posting = {
        ...{ url: target, headers, body, timeoutMs, signal },
        maxResponseBytes: answerBytes + answerBytesOfItem * items.length,
      };
      const posted = await homes.slots.run(send.home, limits.maxAtOnce, timeoutMs, () =>
        post({ clock, http: homes.http }, posting),
      );
      if (posted === null) return null;
      const { 'home-doc': docSeq = '' } = posted.headers ?? {};
      if (/^\d{1,15}$/.test(docSeq)) homes.heard(send.home, Number(docSeq));
      return { ...posted, send: { ...send, push } };
    },
    settle: (outcomes: readonly Outcome<PushSend>[]) => applyOutcomes(context, outcomes),
    nextDueSql,
  };
}

type Takes = Coalescer<PushAsked, OpenItem[] | null>;

/** Returns the items of the next push: in order, as many as the other home accepts. */
async function readItems(
  context: Omit<Context, 'engine'>,
  takes: Takes,
  { home, destination }: PushSend,
  limits: { maxItems: number; maxItem: number; maxRequest: number },
): Promise<SentItem[]> {
  const now = new Date(context.clock.now());
  const most = {
    home,
    items: Math.min(limits.maxItems, inboxLimits.max_items),
    bytes: limits.maxRequest - aroundItems,
  };
  let open = await takes.add(most);
  if (open === null) {
    await context.commit(async (tx) => {
      const locked = await lockLog(tx, home, destination);
      if (locked.renewAt !== null) await beginEpoch(tx, context, locked);
    });
    open = (await takes.add(most)) ?? [];
  }
  const revoked = revokedKids(context.keyRing);
  const items: SentItem[] = [];
  let size = 0;
  for (const item of open) {
    const ready = await makeReady(context, item, { limits, now, revoked });
    size += Buffer.byteLength(ready.item) + 1;
    if (size > most.bytes && items.length > 0) break;
    items.push(ready);
  }
  return items;
}

/**
 * Returns the item in a form that can be sent: a skip if it is too large or expired, re-signed if its key was
 * revoked.
 */
async function makeReady(
  context: Omit<Context, 'engine'>,
  item: OpenItem,
  by: { limits: { maxItem: number }; now: Date; revoked: ReadonlySet<string> },
): Promise<SentItem> {
  const large = Buffer.byteLength(item.item) > by.limits.maxItem;
  const expired = !item.handed && item.expiresAt <= by.now && item.type !== 'skip';
  if (large || expired)
    return await context.commit((tx) => replaceBySkip(tx, context, item, large ? 'too_large' : 'expired'));
  // Created while this home's clock was ahead: other homes refuse items from the future.
  const early = item.createdAt.getTime() > by.now.getTime() + clockSlackMs;
  if (!early && !by.revoked.has(item.kid)) return item;
  const renewed = signedAgain(item, item, signingFor(context, item.home), early);
  const again = early ? { ...renewed, createdAt: by.now } : renewed;
  await context.commit(async (tx) => {
    await deleteSent(tx, [item]);
    await insertSent(tx, [again]);
  });
  return again;
}

function bodyOf(origin: string, destination: string, epoch: number, items: readonly SentItem[]): Buffer {
  const list = items.map(({ item }) => item).join(',');
  const start = JSON.stringify({ v: 1, origin, destination, epoch }).slice(0, -1);
  return Buffer.from(`${start},"items":[${list}]}`);
}
