import { create } from '@bufbuild/protobuf';
import { wordsOf } from '@hearth/calendar';
import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import type { OfferRow, Recipient } from '../db/offers.ts';
import { unseat, updateRecipients } from '../db/offers.ts';
import { viewersOf } from '../domain/events.ts';
import { type Party, viewerOf } from '../domain/party.ts';
import { findBlocked } from './blocks.ts';

/** The caller waits no longer than that; a job goes on then. */
const timeoutMs = 3 * second;
const mostShown = 20;

export interface Sent {
  row: OfferRow;
  /** The first refusal of a recipient. */
  refusal: unknown;
}

/** Sends an offer to those who are still to have it, and notes how it reached them. */
export async function sendOffer(context: Context, row: OfferRow): Promise<Sent> {
  let refusal: unknown;
  const recipients = await Promise.all(
    row.recipients.map(async (recipient): Promise<Recipient> => {
      if (recipient.how !== 'sending') return recipient;
      try {
        return { ...recipient, how: await sendTo(context, row, recipient) };
      } catch (error) {
        refusal ??= error;
        const ended = isHearthError(error) && refused.has(error.kind);
        if (!ended) context.log.warn({ err: error, offer: row.id }, 'an offer waits to be sent');
        return ended ? { ...recipient, how: 'turned_away' } : recipient;
      }
    }),
  );
  const after = { ...row, recipients, sending: recipients.some(({ how }) => how === 'sending') };
  await context.commit((tx) => updateRecipients(tx, after, recipients, viewersOf(after)));
  await unseatBlockers(context, after);
  return { row: after, refusal };
}

/** Hides it from those who blocked its maker while it was sent: the event of such a block found no seat of theirs yet. */
async function unseatBlockers(context: Context, { host, recipients }: OfferRow): Promise<void> {
  const parties = recipients.flatMap(({ party }) => party ?? []);
  try {
    const blocked = await findBlocked(
      context,
      parties.map((recipient) => ({ sender: host, recipient })),
    );
    for (const [index, party] of parties.entries())
      if (blocked[index])
        await context.commit((tx) => unseat(tx, viewerOf(party), [host.id, viewerOf(host)]));
  } catch (err) {
    context.log.warn({ err }, 'blocks could not be looked at after an offer was sent');
  }
}

/** Answers after which it is not tried again. */
const refused: ReadonlySet<string> = new Set(['bad_request', 'forbidden', 'not_found', 'rate_limited']);

async function sendTo({ peers }: Context, row: OfferRow, { to, party }: Recipient): Promise<string> {
  const { id, title, host } = row;
  const options = { caller: callerOf(host), timeoutMs };
  const requestId = `${id}.${party?.id ?? ''}`;
  if (party === null) {
    const text = `${title}\n${textOf(row)}`;
    await peers.posts.postOffer({ group: row.group ?? '', text, requestId }, options);
    return 'posted';
  }
  const data = { offer: printId('ofr', id) };
  const sent = await peers.messages.sendOffer({ to, title, text: textOf(row), data, requestId }, options);
  return ways[sent.delivery] ?? 'delivered';
}

const ways: Partial<Record<Delivery, string>> = {
  [Delivery.REQUESTED]: 'requested',
  [Delivery.FRONT_DOOR]: 'front_door',
  [Delivery.DECLINED]: 'declined',
};

/** The words of an offer as a message: the first times, a line each, with the way to book. */
function textOf({ id, slots, time_zone, place, note }: OfferRow): string {
  const times = slots.slice(0, mostShown).map(({ starts }) => lineOf(starts, time_zone));
  const more = slots.length > mostShown ? [`and ${slots.length - mostShown} more`] : [];
  const book = `Book one of these times with book_meeting, offer ${printId('ofr', id)}.`;
  return [`Times to meet (${time_zone}):`, ...times, ...more, place ?? '', note ?? '', book]
    .filter((line) => line !== '')
    .join('\n');
}

function lineOf(at: number, zone: string): string {
  const instant = new Date(at).toISOString();
  return `${wordsOf(instant, zone)} (${instant.replace('.000Z', 'Z')})`;
}

/** Tells the other side of a move that is proposed, once; by their rules, as every message. */
export async function tellMove({ log, peers }: Context, row: MeetingRow): Promise<void> {
  const { id, title, move, time_zone, host, guest } = row;
  if (move === null) return;
  const [from, to] = move.by === 0 ? [host, guest] : [guest, host];
  const meeting = printId('mtg', id);
  const text = [
    `Another time is proposed (${time_zone}): ${lineOf(move.starts, time_zone)}`,
    move.reason,
    `Answer with accept_move or decline_move, meeting ${meeting}.`,
  ];
  const request = {
    ...{ to: to.address, title, data: { meeting } },
    text: text.filter((line) => line !== '').join('\n'),
    requestId: `${id}.${move.by}.${move.at}`,
  };
  try {
    await peers.messages.sendOffer(request, { caller: callerOf(from), timeoutMs });
  } catch (error) {
    if (!isHearthError(error) || !refused.has(error.kind)) throw error;
    log.debug({ err: error, meeting: id }, 'a proposed move is shown with the meeting alone');
  }
}

function callerOf({ kind, id, person, group, address, name, aiStatus, app }: Party): Caller {
  const byAi = kind === 'ai';
  return create(CallerSchema, {
    kind: byAi ? callerKinds.AI : callerKinds.PERSON,
    ...{ id, address, name, aiStatus, app: app ?? '', group: group ?? '' },
    person: byAi ? (person ?? '') : '',
    via: byAi ? Via.API : app === null ? Via.WEB : Via.APP,
  });
}
