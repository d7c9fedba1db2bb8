import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { zoneNamed } from '@hearth/calendar/time-zone';
import {
  type Admission,
  brokenRule,
  type Copies,
  type Copy,
  type CopyState,
  type HomeThings,
} from '@hearth/home-acts';
import { parseId } from '@hearth/ids';
import type { UnitOfWork } from '@hearth/outbox';
import { type MeetingOffer, MeetingOfferSchema } from '@hearth/proto/decisions/v1/meetings';
import type { JsonObject } from '@hearth/signing';
import { type ReachedHere, reachHere } from '../../shared/actions/reach-here.ts';
import type { Context } from '../context.ts';
import {
  eraseOffer,
  findOffer,
  forgetElsewhere,
  insertOffers,
  lockOffer,
  type OfferRow,
  type Recipient,
  updateOffers,
  updateRecipients,
} from '../db/offers.ts';
import { offerStatuses } from '../domain/enum-names.ts';
import { offerChanged, settledAs, viewersOf } from '../domain/events.ts';
import { dueAt, type OfferStatus } from '../domain/offer.ts';
import { type Party, viewerOf } from '../domain/party.ts';
import { fromElsewhere, toParty } from './find-party.ts';
import { ownersNow } from './owners-now.ts';
import { offerForHomes } from './tell-homes.ts';

export type OfferCopies = Copies<typeof MeetingOfferSchema>;
type OfferCopy = Pick<Copy<typeof MeetingOfferSchema>, 'home' | 'id' | 'message' | 'notes' | 'reference'>;
type Deps = Pick<Context, 'clock' | 'commit' | 'config' | 'database' | 'homeNames' | 'peers' | 'sealer'>;

/** The limit of the database columns. */
const mostTimes = 1_000;

/** Remote offers, stored as rows next to the local ones; and the states of local offers that other homes receive. */
export function createHomeOffers(context: Deps, things: HomeThings): OfferCopies {
  return things.kind('offer', {
    desc: MeetingOfferSchema,
    factsOf: (message) => {
      const name = offerStatuses.nameOf(message.status);
      return name !== '' && isWhole(message)
        ? { status: name, startedAt: timestampDate(message.createdAt!) }
        : null;
    },
    admit: (state) => admit(context, state),
    changed: (tx, { before, after }) => write(tx, before, after),
    current: (id) => offerForHomes(context, id),
    settled: (id, home, delivered) => noteSettled(context, id, home, delivered),
  });
}

function isWhole({ booked, createdAt, expiresAt, slots, timeZone, times }: MeetingOffer): boolean {
  const starts = slots.map(({ startsAt }) => (startsAt === undefined ? 0 : timestampMs(startsAt)));
  const periods = slots.every(
    ({ endsAt }, index) => endsAt !== undefined && starts[index]! > 0 && timestampMs(endsAt) > starts[index]!,
  );
  const counted = times >= 1 && times <= mostTimes && booked <= mostTimes;
  const given = createdAt !== undefined && expiresAt !== undefined && zoneNamed(timeZone) === timeZone;
  return given && counted && slots.length > 0 && periods && new Set(starts).size === starts.length;
}

async function admit(context: Deps, state: CopyState<typeof MeetingOfferSchema>): Promise<Admission> {
  const { after, before, from, seats: seated, to } = state;
  if (from === null || after.message.by !== from.address)
    return brokenRule('body.object.by', 'must be the address in from');
  // Keep the seats: the row decides who reads it, and its viewers may have changed.
  if (before !== null) {
    if (!isSame(before.message, after.message)) return { refused: 'conflict' };
    const isOver = statusIn(before.message) === 'open' && statusIn(after.message) !== 'open';
    if (!isOver) return { seats: seated, news: [] };
    const row = rowOf(after);
    const { recipients } = (await findOffer(context.database.db, after.id)) ?? row;
    return { seats: seated, news: [offerChanged({ ...row, recipients }, 'ended', undefined)] };
  }
  // The message that announces the offer is counted separately.
  const reaching = { count: false, items: 2, over: offerStatuses.nameOf(after.message.status) !== 'open' };
  const all = await reachHere(context, state, from, to, reaching);
  if (all === null) return { refused: 'first_contact' };
  const recipients = to.map((profile, index): Recipient => {
    const { how } = all.reached[index] as ReachedHere;
    return { to: profile.address, party: toParty(profile), how: hows[how] };
  });
  const notes = { host: fromElsewhere(from), recipients } as unknown as JsonObject;
  const row = rowOf({ ...after, notes });
  const viewers = [...new Set(viewersOf(row))];
  const seats = viewers.map((viewer) => ({ viewer, waiting: false }));
  const news = viewers.length === 0 ? [] : [offerChanged(row, 'offered', from)];
  return { seats, notes, firstContacts: all.firstContacts, news };
}

const hows: Record<ReachedHere['how'], string> = {
  inbox: 'delivered',
  requests: 'requested',
  front_door: 'front_door',
  declined: 'declined',
  turned_away: 'turned_away',
};

const statusIn = ({ status }: MeetingOffer) => offerStatuses.nameOf(status);

/** Whether the content and times are unchanged; no later state may change them. */
function isSame(before: MeetingOffer, after: MeetingOffer): boolean {
  const fixed = ({ by, expiresAt, note, place, slots, timeZone, times, title }: MeetingOffer) =>
    JSON.stringify([
      ...[by, note, place, timeZone, times, title, timestampMs(expiresAt!)],
      ...slots.map(({ endsAt, startsAt }) => [timestampMs(startsAt!), timestampMs(endsAt!)]),
    ]);
  return fixed(before) === fixed(after);
}

function rowOf({ home, id, message, notes, reference }: OfferCopy): OfferRow {
  const { host, recipients } = notes as unknown as { host: Party; recipients: Recipient[] };
  const { booked, note, place, timeZone, times, title } = message;
  const slots = message.slots.map(({ endsAt, free, startsAt }) => ({
    ...{ starts: timestampMs(startsAt!), ends: timestampMs(endsAt!) },
    // Only the remote home knows which meeting took the time, so any id marks it as taken.
    meeting: free ? null : id,
  }));
  const row = {
    ...{ id, title, place: place ?? null, note: note ?? null, time_zone: timeZone },
    ...{ host, host_id: host.id, host_viewer: viewerOf(host) },
    ...{ audience: 'addresses' as const, group: null, group_address: null, recipients },
    ...{ slots: slots.sort((one, other) => one.starts - other.starts), holds: [], busy: [] },
    ...{ times, booked },
    status: offerStatuses.nameOf(message.status) as OfferStatus,
    created_at: timestampDate(message.createdAt!),
    expires_at: timestampDate(message.expiresAt!),
    ...{ sending: false, elsewhere: { home, reference } },
  };
  return { ...row, due_at: dueAt(row) };
}

async function write(tx: UnitOfWork, before: OfferCopy | null, after: OfferCopy | null): Promise<void> {
  if (after === null) {
    if (before !== null) await eraseOffer(tx, before.id);
    return;
  }
  const row = rowOf(after);
  const held = before === null ? null : await lockOffer(tx, after.id);
  if (held === null) {
    const recipients = row.recipients.map(await ownersNow(tx, row.recipients));
    await forgetElsewhere(tx, row.elsewhere?.reference ?? '');
    await insertOffers(tx, [row]);
    await updateRecipients(tx, row, recipients, viewersOf({ recipients }));
    return;
  }
  const { booked, due_at, slots, status } = row;
  await updateOffers(tx, [{ before: held, after: { ...held, booked, due_at, slots, status } }]);
}

/** Records whether another home received the offer or refused it. */
async function noteSettled({ commit }: Deps, printed: string, home: string, delivered: boolean) {
  const id = parseId('ofr', printed);
  if (id === null) return;
  await commit(async (tx) => {
    const row = await lockOffer(tx, id);
    if (row === null || row.elsewhere !== null) return;
    const recipients = row.recipients.map((recipient) =>
      recipient.party?.home === home ? settledAs({ ...recipient, reached: delivered }) : recipient,
    );
    await updateRecipients(tx, row, recipients, viewersOf({ recipients }));
  });
}
