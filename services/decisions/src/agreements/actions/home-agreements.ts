import { timestampDate } from '@bufbuild/protobuf/wkt';
import { asAt, parseAddress, parseReference, withHome } from '@hearth/addresses';
import {
  type Admission,
  brokenRule,
  type Copies,
  type CopyState,
  disputedNews,
  type HomeThings,
  isLine,
  momentOfNo,
} from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { type Agreement, AgreementSchema, AgreementStatus } from '@hearth/proto/decisions/v1/agreements';
import { canonicalize, digest } from '@hearth/signing';
import { type ReachedHere, reachHere } from '../../shared/actions/reach-here.ts';
import type { Context } from '../context.ts';
import { type AgreementParty, isDisputed, newSide } from '../domain/agreement.ts';
import type { CopiedAgreement } from '../domain/copy.ts';
import { statuses } from '../domain/enum-names.ts';
import { agreementChanged, type What } from '../domain/events.ts';
import { itemNews } from '../domain/items.ts';
import { isMadeUpFor, isMisstated, markDisputed } from '../domain/own-side.ts';
import { seatsOf } from '../domain/seats.ts';
import { signingOf } from '../domain/signing.ts';
import { copied, keptOf } from './copied.ts';
import { sideFor } from './read-sides.ts';
import { agreementForHomes } from './tell-homes.ts';

export type AgreementCopies = Copies<typeof AgreementSchema>;
type State = CopyState<typeof AgreementSchema>;
type Deps = Pick<
  Context,
  'clock' | 'config' | 'database' | 'homeNames' | 'ids' | 'log' | 'peers' | 'people' | 'random' | 'sealer'
>;

/** Copies of remote agreements, and the states of local ones that other homes receive. */
export function createHomeAgreements(context: Deps, things: HomeThings): AgreementCopies {
  const copies: AgreementCopies = things.kind('agreement', {
    desc: AgreementSchema,
    factsOf({ createdAt, sides, signBy, signing, status }) {
      const name = statuses.nameOf(status);
      const whole = signBy !== undefined && signing !== undefined && sides.length >= 2;
      return whole && createdAt !== undefined && name !== ''
        ? { status: name, startedAt: timestampDate(createdAt) }
        : null;
    },
    admit: (state) => admit(context, copies, state),
    current: (id) => agreementForHomes(context, id),
    isKept: ({ record }) => record !== undefined,
  });
  return copies;
}

/** A home's own parties speak only through the acts that they sent. */
const ownWord = 'must say of the people and AIs of the home that receives it what their acts say';

async function admit(context: Deps, copies: AgreementCopies, state: State): Promise<Admission> {
  const { before, after, from } = state;
  if (from === null) return brokenRule('from', 'must stand in the state of an agreement');
  if (!isWhole(context, after.message, after))
    return brokenRule('body.object', 'must have its sides, its terms and the digest of the terms');
  if (before !== null && !isSameText(before.message, after.message)) return { refused: 'conflict' };
  if (after.message.by !== from.address) return brokenRule('body.object.by', 'must be the address in from');
  const was = before === null ? null : copied(before);
  const placed = was === null ? await placeAll(context, state, from) : { sides: was.sides, firstContacts: 0 };
  if (placed === null) return { refused: 'first_contact' };
  const row = copied({ ...after, notes: { sides: placed.sides as never } });
  const unsent = await placesUnsent(context, copies, was, row);
  const misstated = after.message.sides.flatMap((side, place) => {
    const kept = row.sides[place] as AgreementParty;
    return isMisstated(side, kept) || isMadeUpFor(kept, place, after.message.record) ? place : [];
  });
  const undeclined = await placesUndeclined(context, copies, row);
  const places = new Set([...unsent, ...misstated, ...undeclined]);
  const news = await newsOfDispute(context, after, row, places);
  if (unsent.length > 0) {
    const broken = brokenRule('body.object', ownWord);
    if (was === null) return broken;
    const { notes } = keptOf({ ...was, sides: markDisputed(was.sides, places) });
    return { ...broken, disputed: { notes, news } };
  }
  const reason = undeclined.length > 0 ? null : row.reason;
  const marked = { ...row, reason, sides: markDisputed(row.sides, places) };
  return {
    ...keptOf(marked),
    firstContacts: placed.firstContacts,
    news: [...newsOf(was, marked, from), ...news],
  };
}

/** News for the owners of these sides, once each. */
async function newsOfDispute(
  context: Deps,
  { home, id, message: { title }, reference }: State['after'],
  { sides }: CopiedAgreement,
  places: ReadonlySet<number>,
): Promise<Announcement[]> {
  const untold = sides.filter(({ disputeTold }, place) => places.has(place) && disputeTold !== true);
  if (untold.length === 0) return [];
  const link = `/agreements/${reference}`;
  const thing = { kind: 'agreement', home, id, reference, title, link };
  return await disputedNews(
    context,
    thing,
    untold.flatMap(({ person }) => person ?? []),
  );
}

/**
 * Whether the first side belongs to the sending home, the digest matches the terms, and `signing` is exactly
 * what an AI here would sign.
 */
function isWhole(
  { homeNames }: Pick<Deps, 'homeNames'>,
  shown: Agreement,
  { home, reference }: State['after'],
): boolean {
  const { by, dueAt, needsOwners, terms, termsDigest, title } = shown;
  if (!isLine(title) || !shown.sides.every(({ name }) => isLine(name))) return false;
  if (parseAddress(by, homeNames)?.home !== home || shown.sides[0]?.address !== by) return false;
  const addresses = shown.sides.map(({ address }) => address);
  if (new Set(addresses).size < addresses.length) return false;
  if (!addresses.every((one) => parseAddress(one, homeNames)?.kind === 'ai')) return false;
  if (termsDigest !== digest(Buffer.from(terms))) return false;
  const row = {
    ...{ title, terms_digest: termsDigest, needs_owners: needsOwners },
    fulfil_by: dueAt === undefined ? null : timestampDate(dueAt),
    started_at: timestampDate(shown.createdAt!),
  };
  const sides = addresses.map((one) => asAt(withHome(one, homeNames.ownHome), home));
  const expected = signingOf(home, parseReference(reference, homeNames)?.id ?? '', row, sides);
  return canonicalize(shown.signing ?? {}) === canonicalize(expected);
}

/**
 * Positions of local sides that the remote home reports as signed or settled without an act of theirs: no
 * other home can speak for a local AI.
 */
async function placesUnsent(
  { homeNames: { ownHome } }: Pick<Deps, 'homeNames'>,
  copies: AgreementCopies,
  was: CopiedAgreement | null,
  { reference, sides, status }: CopiedAgreement,
): Promise<number[]> {
  const whole = status === 'ready' || status === 'settled';
  const acts = sides.flatMap(({ ai: viewer, home = ownHome, note, settled, signedAt }, place) => {
    if (home !== ownHome) return [];
    const before = was?.sides[place] ?? newSide;
    const outcome = settled ?? (status === 'settled' ? 'kept' : null);
    const request = { ...(outcome !== null && { outcome }), ...(note !== '' && { note }) };
    return [
      ...((signedAt !== null || whole) && before.signedAt === null
        ? [{ place, operation: 'sign_agreement', kept: { viewer } }]
        : []),
      ...(outcome !== before.settled || note !== before.note
        ? [{ place, operation: 'settle_agreement', kept: { viewer, request } }]
        : []),
    ];
  });
  const sent = await copies.haveSent(reference, acts);
  return acts.flatMap(({ place }, index) => (sent[index] === true ? [] : place));
}

/**
 * Positions of local sides if the remote home reports a decline whose reason no side sent. Empty if another
 * home's side could have declined.
 */
async function placesUndeclined(
  { homeNames: { ownHome } }: Pick<Deps, 'homeNames'>,
  copies: AgreementCopies,
  { reason, reference, sides, status, why }: CopiedAgreement,
): Promise<number[]> {
  const others = sides.slice(1);
  const isByOurs = status === 'declined' && why === 'declined' && reason !== null;
  if (!isByOurs || others.some(({ home = ownHome }) => home !== ownHome)) return [];
  const sent = await copies.haveSent(
    reference,
    others.map(({ ai: viewer }) => ({
      operation: 'decline_agreement',
      kept: { viewer, request: { reason } },
    })),
  );
  const isSaid = sent.includes(true) || others.some(({ noWords }) => noWords === reason);
  return isSaid ? [] : others.map((_, index) => index + 1);
}

/** An AI signs one fixed text; no later state may change it. */
function isSameText(before: Agreement, after: Agreement): boolean {
  // `signing` contains the digest of the terms and everything else that an AI signs.
  return (
    canonicalize(before.signing ?? {}) === canonicalize(after.signing ?? {}) &&
    timestampDate(before.signBy!).getTime() === timestampDate(after.signBy!).getTime()
  );
}

/**
 * The sides of a newly received agreement, with local AIs placed by their owners' request rules; null if it
 * reaches too many people who don't know its sender.
 */
async function placeAll(
  context: Deps,
  state: State,
  from: Caller,
): Promise<{ sides: AgreementParty[]; firstContacts: number } | null> {
  const { homeNames, ids } = context;
  const { needsOwners, sides, status } = state.after.message;
  const named = new Set(sides.slice(1).map(({ address }) => address));
  const ais = state.to.filter(({ address, person }) => !person && named.has(address));
  // An agreement that ended before it arrived waits for no one.
  const over = status !== AgreementStatus.OPEN;
  const all = await reachHere(context, state, from, ais, { count: true, items: 1, over });
  if (all === null) return null;
  const places = ais.map((ai, index): AgreementParty => {
    const reached = all.reached[index] as ReachedHere;
    return {
      ...sideFor(ai, reached),
      told: true,
      approval: needsOwners && ai.owner !== '' ? ids.uuid() : null,
      ...(reached.how === 'declined' && { noAt: momentOfNo(context).getTime() }),
    };
  });
  const placed = sides.map(({ address }, index): AgreementParty => {
    const place = places.find((party) => party.address === address);
    if (place !== undefined) return place;
    const home = parseAddress(address, homeNames)?.home ?? homeNames.ownHome;
    return { ...newSide, name: '', address, home, ai: index === 0 ? from.id : '' };
  });
  return { sides: placed, firstContacts: all.firstContacts };
}

function newsOf(was: CopiedAgreement | null, row: CopiedAgreement, from: State['from']) {
  const items = itemNews(was, row);
  const what = seatsOf(row).length === 0 ? null : whatOf(was, row);
  if (what === null) return items;
  return [...items, agreementChanged(row, what, what === 'started' ? (from ?? undefined) : undefined)];
}

function whatOf(was: CopiedAgreement | null, { sides, status }: CopiedAgreement): What | null {
  if (was === null) return 'started';
  if (was.status !== status) return status === 'open' ? null : status;
  const count = (row: Pick<CopiedAgreement, 'sides'>, of: (side: AgreementParty) => boolean) =>
    row.sides.filter(of).length;
  if (count(was, ({ gone }) => gone) < count({ sides }, ({ gone }) => gone)) return 'side_gone';
  if (!isDisputed(was) && isDisputed({ sides })) return 'disputed';
  const signed = ({ signedAt }: AgreementParty) => signedAt !== null;
  return count(was, signed) < count({ sides }, signed) ? 'signed' : null;
}
