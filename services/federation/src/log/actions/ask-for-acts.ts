import { day, second } from '@hearth/clock';
import {
  isJsonObject,
  type JsonObject,
  type ListedKey,
  readClaimedKid,
  readStrictObject,
} from '@hearth/signing';
import { documentKey } from '../../shared/domain/document-key.ts';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import type { Context } from '../context.ts';
import { type LogRow, noteReturned } from '../db/logs.ts';
import { noteReturnedActs } from '../db/returned-acts.ts';
import { standingOf } from './serve-inbox.ts';
import { type WeighedItem, weighItem, weighSigned } from './weigh-item.ts';

const timeoutMs = 30 * second;
const answerBytes = inboxLimits.max_request + 65_536;
const mostPages = 200;
/** After this time without an answer, the home's other items are decided without the lost acts. */
const longestMs = day;

/** An act of this home as another home gives it back, with its result if there is one. */
interface Returned {
  epoch: number;
  seq: number;
  act: JsonObject;
  result: JsonObject | null;
}

/**
 * Asks another home for acts that this home sent it after the last one it still knows, and gives each to the service that sent it. This is
 * how a home restored from a backup learns what its people did in the meantime.
 *
 * @returns false if that home or a local service couldn't be reached, so that it must be tried again
 */
export async function askForActs(context: Context, log: LogRow): Promise<boolean> {
  const { clock, database, log: logger } = context;
  const { home, lostAt } = log;
  const place = { epoch: log.lostEpoch ?? log.epoch, seq: log.lostSeq ?? log.settledSeq };
  let after = place;
  let done = lostAt !== null && clock.now() - lostAt.getTime() > longestMs;
  if (done) logger.error({ home, ...after }, 'another home gave no acts back for a day');
  for (let page = 0; page < mostPages && !done; page += 1) {
    const answer = await ask(context, home, after);
    if (answer === null) return false;
    const returned = readReturned(answer.value, after);
    if (!(await giveBack(context, home, returned, answer.limited))) return false;
    const { epoch, seq } = returned.at(-1) ?? after;
    after = { epoch, seq };
    done = returned.length === 0 || answer.value['more'] !== true;
  }
  await database.statement((tx) => noteReturned(tx, home, place, done ? null : after));
  return done;
}

/** Returns null if the home couldn't be reached; an empty answer if it doesn't give acts back. */
async function ask(
  { homes }: Context,
  home: string,
  { epoch, seq }: { epoch: number; seq: number },
): Promise<{ value: JsonObject; limited: boolean } | null> {
  const path = `/items?yours=acts&epoch=${epoch}&after=${seq}&limit=${inboxLimits.max_items}`;
  const reply = await homes.ask(home, { method: 'GET', path, timeoutMs, maxResponseBytes: answerBytes });
  if (reply.refused) return null;
  const isAway = reply.status === 401 || reply.status === 429 || reply.status >= 500;
  if (isAway) return null;
  const value = reply.status === 200 ? readStrictObject(reply.body, { maxDepth: 34 }) : {};
  return value && { value, limited: reply.policy === 'limited' };
}

/** Reads acts in order after that place, up to the first that is malformed or out of order. */
function readReturned({ acts }: JsonObject, after: { epoch: number; seq: number }): Returned[] {
  if (!Array.isArray(acts) || acts.length > inboxLimits.max_items) return [];
  const read: Returned[] = [];
  for (const entry of acts) {
    const { epoch, act, result } = isJsonObject(entry) ? entry : {};
    if (!isJsonObject(act)) return read;
    const seq = act['seq'];
    if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(seq)) return read;
    const place = { epoch: epoch as number, seq: seq as number };
    const last = read.at(-1) ?? after;
    if (place.epoch < last.epoch || (place.epoch === last.epoch && place.seq <= last.seq)) return read;
    read.push({ ...place, act, result: isJsonObject(result) ? result : null });
  }
  return read;
}

/** Returns false if a service couldn't be reached. */
async function giveBack(
  context: Context,
  home: string,
  returned: readonly Returned[],
  limited: boolean,
): Promise<boolean> {
  const { clock, database } = context;
  const standing = await standingOf(context, home, limited, undefined);
  const taken: { id: string; service: string }[] = [];
  for (const { act, result } of returned) {
    const weighed = weighOwn(context, home, act);
    if (weighed === null) {
      context.log.warn({ home, act: act['id'] }, 'another home gave back an act that this one did not sign');
      continue;
    }
    const service = context.receivers.ofOperation(weighed.about)!;
    const ended = result === null ? null : weighResult(context, home, weighed, result);
    const items = [{ item: act, weighed }, ...(ended === null ? [] : [ended])];
    const verdicts = await context.handOver(service, standing, items);
    if (verdicts.some(({ decision }) => decision === 'away' || decision === 'later')) return false;
    taken.push({ id: weighed.id.slice(`r:${context.home}:`.length), service });
  }
  await database.statement((tx) => noteReturnedActs(tx, home, taken, new Date(clock.now())));
  return true;
}

/** Verifies an act that this home signed for that one; null for any other. */
function weighOwn(context: Context, home: string, act: JsonObject): WeighedItem | null {
  const kid = readClaimedKid(act['signature']);
  const key = context.keyRing.keys.listed.find((each) => each.kid === kid);
  const listed: ListedKey | null = key === undefined ? null : documentKey(key);
  const weighed = weighSigned(act, listed, {
    ...weighing(context, context.home, home),
    now: Date.parse(String(act['issued_at'])),
  });
  return 'code' in weighed || weighed.type !== 'act' ? null : weighed;
}

/** The act's result as the home would send it; null if malformed. */
function weighResult(context: Context, home: string, { id, rev }: WeighedItem, body: JsonObject) {
  const times = { issued_at: iso(context.clock.now()), expires_at: iso(context.clock.now() + day) };
  const item: JsonObject = {
    ...{ v: 1, type: 'result', id: `r:${home}:returned`, rev, seq: 1, origin: home },
    ...{ destination: context.home, ...times, body: { ...body, act: id } },
  };
  const weighed = weighItem(item, weighing(context, home, context.home));
  return 'code' in weighed ? null : { item, weighed };
}

const iso = (ms: number) => new Date(ms).toISOString();

function weighing({ clock, devHomes, receivers }: Context, origin: string, home: string) {
  return {
    ...{ origin, home, devHomes, now: clock.now() },
    isFederated: (operation: string) => receivers.ofOperation(operation) !== undefined,
    isKind: (kind: string) => receivers.ofKind(kind) !== undefined,
  };
}
