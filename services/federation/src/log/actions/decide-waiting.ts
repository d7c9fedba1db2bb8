import { hour, minute, second } from '@hearth/clock';
import type { JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import { findLosing } from '../db/logs.ts';
import { claimWaiting, postponeWaiting, settleWaiting, type WaitingItem } from '../db/received-items.ts';
import { appendItems } from './append-items.ts';
import type { Verdict } from './hand-over.ts';
import { resultDraft } from './own-draft.ts';
import { standingOf } from './serve-inbox.ts';
import { type WeighedItem, weighItem } from './weigh-item.ts';

const batch = 200;
/** Items claimed by a process that died are claimable again after this. */
const claimedMs = minute;
const mostDoublings = 10;
const pauseMs = (attempts: number) =>
  Math.min(5 * second * 2 ** Math.min(Math.max(attempts - 1, 0), mostDoublings), hour);
/** With a minute for clock skew between processes. */
const longestMs = Array.from(
  { length: mostDoublings + 2 },
  (_, attempts) => Math.max(claimedMs, pauseMs(attempts)) + minute,
);
const gone = {
  status: 503,
  answerJson: '',
  errorJson: '{"error":"the home could not decide it in time","code":"internal"}',
};

/** Decides items that could not be decided on arrival. Items that wait for an unavailable service keep their order. */
export async function decideWaiting(context: Context): Promise<void> {
  const now = new Date(context.clock.now());
  const claimed = await context.database.statement((tx) =>
    claimWaiting(tx, { now, until: new Date(now.getTime() + claimedMs), limit: batch, longestMs }),
  );
  const away = new Set<string>();
  const losing = await findLosing(context.database.db, [...new Set(claimed.map(({ home }) => home))]);
  for (const waiting of claimed) {
    const place = `${waiting.home} ${waiting.service}`;
    const verdict =
      waiting.queued && (losing.has(waiting.home) || away.has(place))
        ? notNow
        : await decide(context, waiting);
    if (verdict.decision === 'away') away.add(place);
    await settle(context, waiting, verdict);
  }
}

const notNow: Verdict = { decision: 'away' };

/** Checks an item again as on arrival, except for its times. */
function weighedAgain(context: Context, item: JsonObject): WeighedItem | null {
  const { home, devHomes, receivers } = context;
  const weighed = weighItem(item, {
    ...{ origin: item['origin'] as string, home, devHomes, now: Date.parse(item['issued_at'] as string) },
    isFederated: (operation) => receivers.ofOperation(operation) !== undefined,
    isKind: (kind) => receivers.ofKind(kind) !== undefined,
  });
  return 'code' in weighed ? null : weighed;
}

async function decide(context: Context, waiting: WaitingItem): Promise<Verdict> {
  const item = JSON.parse(waiting.item) as JsonObject;
  const weighed = weighedAgain(context, item);
  if (weighed === null) return { decision: 'rejected', why: { code: 'internal' } };
  const policy = await context.homes.policyOf(waiting.home);
  const standing = await standingOf(context, waiting.home, policy === 'limited', undefined);
  const [verdict] = await context.handOver(waiting.service as never, standing, [{ item, weighed }]);
  return verdict!;
}

async function settle(context: Context, waiting: WaitingItem, verdict: Verdict): Promise<void> {
  const now = new Date(context.clock.now());
  const expires = Date.parse((JSON.parse(waiting.item) as { expires_at: string }).expires_at);
  const waits = (verdict.decision === 'later' || verdict.decision === 'away') && expires > now.getTime();
  if (waits) {
    const attempts = verdict.decision === 'away' ? 0 : waiting.attempts;
    const dueAt = new Date(now.getTime() + pauseMs(attempts));
    await context.database.statement((tx) =>
      postponeWaiting(tx, waiting, verdict.decision === 'away', dueAt),
    );
    return;
  }
  const result = verdict.decision === 'ok' ? verdict.result : gone;
  const destination = await context.commit(async (tx) => {
    const mine = await settleWaiting(tx, waiting);
    if (!mine || waiting.type !== 'act' || result === null) return null;
    const draft = resultDraft(waiting.id, result, now);
    return (await appendItems(tx, context, waiting.home, [draft])).destination;
  });
  if (destination !== null) context.engine.poke([destination]);
}
