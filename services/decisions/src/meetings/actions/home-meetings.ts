import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { zoneNamed } from '@hearth/calendar/time-zone';
import {
  type Admission,
  brokenRule,
  type Copies,
  type Copy,
  type CopyState,
  disputedNews,
  type HomeThings,
} from '@hearth/home-acts';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import { type Meeting, MeetingSchema, MeetingStatus } from '@hearth/proto/decisions/v1/meetings';
import { canonicalize, isJsonObject, type JsonObject } from '@hearth/signing';
import type { Context } from '../context.ts';
import {
  deleteMeeting,
  findMeetings,
  forgetElsewhere,
  insertMeetings,
  lockMeeting,
  type MeetingRow,
  updateMeeting,
} from '../db/meetings.ts';
import { lockHosts } from '../db/met.ts';
import { meetingPath } from '../domain/elsewhere.ts';
import { meetingStatuses } from '../domain/enum-names.ts';
import { meetingChanged } from '../domain/events.ts';
import type { MeetingSide, Move } from '../domain/meeting.ts';
import { type Party, viewerOf } from '../domain/party.ts';
import { whatChanged } from '../domain/told-of.ts';
import { callerOf, fromElsewhere, toParty } from './find-party.ts';
import { followMeetings } from './host-times.ts';
import { meetingForHomes } from './tell-homes.ts';

export type MeetingCopies = Copies<typeof MeetingSchema>;
/** Stored with the copy: both sides, and whether its home misstates the guest's acts and the guest was told. */
interface Notes {
  host: Party;
  guest: Party;
  disputed?: boolean;
  disputeTold?: boolean;
}
type MeetingCopy = Pick<Copy<typeof MeetingSchema>, 'home' | 'id' | 'message' | 'notes' | 'reference'>;
type Deps = Pick<
  Context,
  'clock' | 'config' | 'database' | 'homeNames' | 'ids' | 'log' | 'people' | 'sealer'
> & {
  copies: Pick<Context['copies'], 'offers'>;
};

const longestUid = 300;

/**
 * Remote meetings booked by local parties, stored as rows next to the local ones; and the states of local
 * ones that other homes receive.
 */
export function createHomeMeetings(context: Deps, things: HomeThings): MeetingCopies {
  const copies: MeetingCopies = things.kind('meeting', {
    desc: MeetingSchema,
    factsOf: (message) =>
      isWhole(message)
        ? { status: meetingStatuses.nameOf(message.status), startedAt: timestampDate(message.bookedAt!) }
        : null,
    admit: (state) => admit(context, copies, state),
    changed: (tx, { before, after }) => write(context, tx, before, after),
    current: (id) => meetingForHomes(context, id),
    isKept: ({ record }) => record !== undefined,
  });
  return copies;
}

function isWhole({
  bookedAt,
  endsAt,
  offered,
  startsAt,
  status,
  timeZone,
  uid,
  with: others,
}: Meeting): boolean {
  const times = startsAt !== undefined && endsAt !== undefined && timestampMs(endsAt) > timestampMs(startsAt);
  const named = uid !== '' && uid.length <= longestUid && others.length === 1;
  const known = status !== MeetingStatus.UNSPECIFIED && zoneNamed(timeZone) === timeZone;
  return bookedAt !== undefined && times && named && known && !offered;
}

/** A home's own parties speak only through the acts that they sent. */
const ownWord = 'must say of the people and AIs of the home that receives it what their acts say';

/** A remote home can't speak for local parties: they booked, moved or cancelled only if they sent the act. */
async function admit(
  context: Deps,
  copies: MeetingCopies,
  { after, before, from, seats: seated, to, toCount }: CopyState<typeof MeetingSchema>,
): Promise<Admission> {
  const { offer, uid, with: others } = after.message;
  if (from === null || others[0] !== from.address)
    return brokenRule('body.object.with[0]', 'must be the address in from');
  // Keep the seats: the row decides who reads it, and its viewer may have changed.
  if (before !== null) {
    if (before.message.offer !== offer || before.message.uid !== uid) return { refused: 'conflict' };
    const { disputed: _, ...notes } = before.notes as unknown as Notes;
    if (await isOwnWord(copies, before, after, notes.guest.id))
      return { seats: seated, notes: notes as unknown as JsonObject };
    const lied = { ...notes, disputed: true, disputeTold: true };
    const news = notes.disputeTold === true ? [] : await newsOfDispute(context, before, notes.guest);
    const disputed = { notes: lied as unknown as JsonObject, news };
    return { ...brokenRule('body.object', ownWord), disputed };
  }
  const [guest, ...more] = to;
  if (guest === undefined || more.length > 0 || toCount !== 1)
    return brokenRule('to', 'must be one address: a meeting has one guest');
  if (!(await isOwnWord(copies, null, after, guest.id))) return brokenRule('body.object', ownWord);
  const seats = [{ viewer: viewerOf(toParty(guest)), waiting: false }];
  return { seats, notes: { host: fromElsewhere(from), guest: toParty(guest) } as unknown as JsonObject };
}

async function newsOfDispute(
  context: Deps,
  { home, id, message: { title }, reference }: MeetingCopy,
  guest: Party,
): Promise<Announcement[]> {
  const link = meetingPath({ id, elsewhere: { home, reference } });
  const thing = { kind: 'meeting', home, id, reference, title, link };
  const person = guest.kind === 'person' ? guest.id : guest.person;
  return await disputedNews(context, thing, person === null ? [] : [person]);
}

/** @param guest uuid; statements admitted earlier stay valid, even after their acts are forgotten */
async function isOwnWord(
  copies: MeetingCopies,
  before: MeetingCopy | null,
  { message, reference }: MeetingCopy,
  guest: string,
): Promise<boolean> {
  const { cancelledBy, note, offer, with: others } = message;
  const [was, time, moved] = [timesOf(before?.message), timesOf(message)!, proposedIn(message)];
  const wanted = proposedIn(before?.message);
  const sent = (operation: string, request?: JsonObject, on = reference) =>
    copies.hasSent(on, operation, { guest, ...(request !== undefined && { request }) });
  const isTheirs = async (move: { starts_at: string; reason?: string }) =>
    (wanted !== null && canonicalize({ ...wanted, ...move }) === canonicalize(wanted)) ||
    (await sent('move_meeting', move));
  if (JSON.stringify(was) !== JSON.stringify(time)) {
    const booked = was === null && (await sent('book_meeting', { slot: time.starts_at }, offer));
    if (!booked && !(await sent('accept_move', time)) && !(await isTheirs({ starts_at: time.starts_at })))
      return false;
  }
  if (moved !== null && !(await isTheirs(moved))) return false;
  const isNewNote = note !== undefined && note !== before?.message.note;
  if (isNewNote && !(await sent('book_meeting', { note }, offer))) return false;
  const isByGuest = cancelledBy !== undefined && cancelledBy !== others[0];
  const said = message.reason === undefined ? {} : { reason: message.reason };
  const isAsBefore = before?.message.cancelledBy === cancelledBy && before?.message.reason === message.reason;
  return !isByGuest || isAsBefore || (await sent('cancel_meeting', said));
}

function timesOf(meeting: Meeting | undefined): { starts_at: string; ends_at: string } | null {
  return meeting === undefined
    ? null
    : { starts_at: instantOf(meeting.startsAt!), ends_at: instantOf(meeting.endsAt!) };
}

/** The start of the move that the local side proposes, and the reason; null if there is none. */
function proposedIn(meeting: Meeting | undefined): { starts_at: string; reason?: string } | null {
  const { reason, startsAt, yours } = meeting?.move ?? {};
  if (yours !== true || startsAt === undefined) return null;
  return { starts_at: instantOf(startsAt), ...(reason !== undefined && { reason }) };
}

const instantOf = (at: Parameters<typeof timestampDate>[0]) => timestampDate(at).toISOString();

async function write(
  context: Deps,
  tx: UnitOfWork,
  before: MeetingCopy | null,
  after: MeetingCopy | null,
): Promise<void> {
  const { id, notes } = (after ?? before)!;
  const [known] = await findMeetings(tx, [id]);
  const guest = known?.guest_viewer ?? viewerOf((notes as unknown as { guest: Party }).guest);
  await lockHosts(tx, [guest]);
  if (after === null) {
    await deleteMeeting(tx, id);
    return await followMeetings(context, tx, [guest]);
  }
  const held = before === null ? null : await lockMeeting(tx, id);
  const row = rowOf(context, after, held);
  if (held === null) {
    await forgetElsewhere(tx, row.elsewhere?.reference ?? '');
    await insertMeetings(tx, [row]);
  } else await updateMeeting(tx, row);
  // The guest may offer times that this meeting closes.
  await followMeetings(context, tx, [guest]);
  const change = whatChanged(held, row);
  if (change === null) return;
  const by = change.side === null ? undefined : callerOf(change.side === 0 ? row.host : row.guest);
  tx.announce(meetingChanged(row, { ...change, by }));
}

/** @param held the current row: an AI may have changed hands since it booked */
function rowOf(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  { home, id, message, notes, reference }: MeetingCopy,
  held: MeetingRow | null,
): MeetingRow {
  const { disputed } = notes as unknown as Notes;
  const { host, guest } = held ?? (notes as unknown as Notes);
  const { movedFrom, note, offer, place, record, revision, sequence, timeZone, title, uid } = message;
  const { bookedAt, cancelledBy, endsAt, reason, startsAt, status } = message;
  const now = new Date(clock.now());
  const by: MeetingSide = cancelledBy === host.address ? 0 : 1;
  return {
    // Takes no time of a local offer.
    ...{ id, offer: held?.offer ?? id, slot: null },
    ...{ title, place: place ?? null, time_zone: timeZone, note: note ?? null },
    ...{ starts_at: timestampDate(startsAt!), ends_at: timestampDate(endsAt!) },
    ...{ host, guest, host_viewer: held?.host_viewer ?? viewerOf(host) },
    guest_viewer: held?.guest_viewer ?? viewerOf(guest),
    status: status === MeetingStatus.CANCELLED ? 'cancelled' : 'booked',
    ...{ sequence, revision, moved_from: movedFrom === undefined ? null : timestampDate(movedFrom) },
    ...{ move: moveOf(message), telling: false, reason: reason ?? null },
    cancelled_by: cancelledBy === undefined ? null : by,
    ...{ booked_at: timestampDate(bookedAt!), record: held?.record ?? ids.uuid(), earlier_record: null },
    unsigned_before: null,
    signed_record: isOfMeeting(record, message) ? JSON.stringify(record) : null,
    settled_at: held?.sequence === sequence ? held.settled_at : now,
    elsewhere: { home, reference, uid, offer, ...(disputed === true && { disputed }) },
    acts: {},
  };
}

/** Whether the record matches the meeting's current time; it also names the guest. */
function isOfMeeting(record: JsonObject | undefined, { endsAt, sequence, startsAt, uid }: Meeting): boolean {
  const recorded = record?.['meeting'];
  if (!isJsonObject(recorded)) return false;
  const isSame = recorded['uid'] === uid && recorded['sequence'] === sequence;
  const { starts_at: starts, ends_at: ends } = recorded;
  return isSame && starts === instantOf(startsAt!) && ends === instantOf(endsAt!);
}

function moveOf({ move }: Meeting): Move | null {
  if (move?.startsAt === undefined || move.endsAt === undefined) return null;
  const [starts, ends] = [timestampMs(move.startsAt), timestampMs(move.endsAt)];
  return { by: move.yours ? 1 : 0, starts, ends, reason: move.reason ?? '', at: 0 };
}
