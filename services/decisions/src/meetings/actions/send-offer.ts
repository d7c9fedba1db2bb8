import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { poll } from '@hearth/home-acts';
import { english, type Language, type Text, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { Delivery } from '@hearth/proto/messages/v1/messages';
import type { Context } from '../context.ts';
import { type MeetingRow, noteTold } from '../db/meetings.ts';
import type { OfferRow, Recipient } from '../db/offers.ts';
import { findOffer, lockOffer, unseat, updateRecipients } from '../db/offers.ts';
import { meetingPath, offerPath } from '../domain/elsewhere.ts';
import { settledAs, viewersOf } from '../domain/events.ts';
import { offerText, timeOf } from '../domain/offer-text.ts';
import { isHere, type Party, viewerOf } from '../domain/party.ts';
import { findBlocked } from './blocks.ts';
import { declineUntold } from './end-of.ts';
import { callerOf } from './find-party.ts';
import { ownersNow } from './owners-now.ts';
import { goesAway, idFor, isAway, offerDue } from './tell-homes.ts';

/** Limit for sending within the caller's request; after that, a job takes over. */
const timeoutMs = 3 * second;
/**
 * Time for the offer to get its position in the other home's log before the message does, even if that home
 * is slow.
 */
const offerFirstMs = 300;

export interface Sent {
  row: OfferRow;
  /** The first recipient's refusal. */
  refusal: unknown;
}

/** Sends an offer to its remaining recipients and records how it reached them. */
export async function sendOffer(context: Context, row: OfferRow): Promise<Sent> {
  let refusal: unknown;
  if (goesAway(row)) await offerFirst(context, row.id);
  const sent = await Promise.all(
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
  const after = await context.commit(async (tx) => {
    const owned = await ownersNow(tx, row.recipients);
    const now = await lockOffer(tx, row.id);
    const recipients = sent.map((recipient, index) => {
      // Meanwhile, another home may have received it, or the AI may have a new owner.
      const { party, reached } = now?.recipients[index] ?? recipient;
      return owned(settledAs({ ...recipient, party, ...(reached !== undefined && { reached }) }));
    });
    const told = { ...row, recipients, sending: recipients.some(({ how }) => how === 'sending') };
    await updateRecipients(tx, told, recipients, viewersOf(told));
    tx.announce(...offerDue(context.copies, told));
    return told;
  });
  await unseatBlockers(context, after);
  return { row: after, refusal };
}

/** Waits briefly until other homes have the offer, so that recipients of its message find it. */
async function offerFirst({ database }: Context, id: string): Promise<void> {
  await poll(
    performance.now() + offerFirstMs,
    () => findOffer(database.db, id),
    ({ recipients }) =>
      recipients.every((recipient) => !isAway(recipient) || recipient.reached !== undefined),
  );
}

/**
 * Hides the offer from recipients who blocked its host while it was being sent: the block's event found no
 * seat yet.
 */
async function unseatBlockers(context: Context, { host, recipients }: OfferRow): Promise<void> {
  const parties = recipients.flatMap(({ party }) => (party !== null && isHere(party) ? party : []));
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

/** Final errors, not retried. */
const refused: ReadonlySet<string> = new Set(['bad_request', 'forbidden', 'not_found', 'rate_limited']);

async function sendTo(context: Context, row: OfferRow, { to, party }: Recipient): Promise<string> {
  const { peers } = context;
  const { id, title, host } = row;
  const options = { caller: callerOf(host), timeoutMs };
  const requestId = `${id}.${party?.id ?? ''}`;
  if (party === null) {
    const text = `${title}\n${offerText(row, bookBy(context, printId('ofr', id), true), english)}`;
    await peers.posts.postOffer({ group: row.group ?? '', text, requestId }, options);
    return 'posted';
  }
  const offer = idFor(context, party, printId('ofr', id));
  const message = {
    to,
    title,
    text: offerText(row, bookBy(context, offer, isHere(party)), await languageOf(context, party)),
    data: { offer, expires_at: lastOf(row).toISOString() },
    requestId,
  };
  const sent = await peers.messages.sendOffer(message, options);
  return ways[sent.delivery] ?? 'delivered';
}

const ways: Partial<Record<Delivery, string>> = {
  [Delivery.REQUESTED]: 'requested',
  [Delivery.FRONT_DOOR]: 'front_door',
  [Delivery.DECLINED]: 'declined',
  [Delivery.HELD]: 'held',
};

/** The language of a person here. AIs and other homes read English. */
async function languageOf({ languages, people }: Context, party: Party): Promise<Language> {
  if (party.kind !== 'person' || !isHere(party)) return english;
  return languages.of((await people.findOne(party.id)) ?? {});
}

/** The page is on this home; remote recipients use their own home's page. */
function bookBy({ config }: Context, offer: string, here: boolean): Text {
  const page = `${config.siteUrl}${offerPath(offer)}`;
  return here ? t('meetings.message.book-here', { page, offer }) : t('meetings.message.book', { offer });
}

function answerBy({ config }: Context, row: MeetingRow, meeting: string, here: boolean): Text {
  const page = `${config.siteUrl}${meetingPath(row)}`;
  return here
    ? t('meetings.message.answer-here', { page, meeting })
    : t('meetings.message.answer', { meeting });
}

/** The last moment at which it can be booked. */
const lastOf = ({ expires_at, slots }: OfferRow) =>
  new Date(Math.min(expires_at.getTime(), Math.max(...slots.map(({ starts }) => starts))));

/** Notifies the other side of a proposed move once, by its request rules like any message. */
export async function tellMove(context: Context, row: MeetingRow): Promise<void> {
  const { commit, log, peers } = context;
  const { ends_at, id, title, move, time_zone, host, guest } = row;
  if (move === null) return;
  const [from, to] = move.by === 0 ? [host, guest] : [guest, host];
  const meeting = idFor(context, to, printId('mtg', id));
  const { words } = await languageOf(context, to);
  const text = [
    t('meetings.message.move', { zone: time_zone, time: timeOf(move.starts, time_zone) }),
    move.reason,
    answerBy(context, row, meeting, isHere(to)),
  ].map(words);
  const request = {
    ...{ to: to.address, title, data: { meeting, expires_at: ends_at.toISOString() } },
    text: text.filter((line) => line !== '').join('\n'),
    requestId: `${id}.${move.by}.${move.at}`,
  };
  const options = { caller: callerOf(from), timeoutMs };
  const sent = await peers.messages.sendOffer(request, options).catch((error: unknown) => {
    if (!isHearthError(error) || !refused.has(error.kind)) throw error;
    log.debug({ err: error, meeting: id }, 'a proposed move is shown with the meeting alone');
    return null;
  });
  await commit((tx) => noteTold(tx, id, move, isHere(to) ? undefined : sent?.id || undefined));
  // The delivery event may have arrived before the message id was stored.
  if (sent?.delivery === Delivery.UNDELIVERABLE) await declineUntold(context, [sent.id]);
}
