import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import { callerElsewhere } from '@hearth/people';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Reader } from '@hearth/proto-json';
import type { Call } from '@hearth/rpc';
import { canonicalize, isJsonObject, type JsonObject } from '@hearth/signing';
import { toHere } from './abroad.ts';
import { type BrokenRule, brokenRule, ruleBrokenIn } from './broken-rule.ts';
import {
  type CopyRow,
  type CopySeat,
  deleteCopy,
  findCopy,
  findCopySeats,
  insertCopy,
  lockCopy,
  putCopySeats,
  updateCopy,
} from './copies-db.ts';
import type { ThingParts } from './home-things.ts';
import { asOthersMaySay, mostAheadMs } from './others-word.ts';
import { readObject, tryRead } from './read-object.ts';
import type { Verdict } from './received-acts.ts';
import type { SentAct } from './sent-acts.ts';
import type { Told } from './states.ts';

/** A thing of another home as this one has it. */
export interface Copy<Desc extends DescMessage> extends CopyRow {
  /** As callers of this home read it; what depends on the reader is not set. */
  message: MessageShape<Desc>;
}

/** How the home of an item stands with this one. */
export interface Standing {
  /** Its registrable domain. */
  domain: string;
  /** Everyone there counts as a stranger. */
  limited: boolean;
  firstContactsLeft: number;
}

/** A state that came of a thing. */
export interface CopyState<Desc extends DescMessage> {
  before: Copy<Desc> | null;
  after: Copy<Desc>;
  /** Seats at what was before. */
  seats: readonly CopySeat[];
  /** The people and AIs of this home that it is addressed to; no one under 18, and no AI of theirs. */
  to: readonly Profile[];
  /** The addresses to which it is, whether they are anyone here or not. */
  toCount: number;
  /** The party of the other home that it is from; null where the state names none. */
  from: Caller | null;
  standing: Standing;
  call: Call;
}

export type Admission =
  | BrokenRule
  | {
      /** A code of the protocol. */
      refused: 'conflict' | 'no_such_address' | 'first_contact';
    }
  | {
      /** It cannot be decided before something else has come. */
      waits: true;
    }
  | {
      /** Everyone who may see it from now on. */
      seats: readonly CopySeat[];
      /** In the place of those before. */
      notes?: JsonObject;
      /** So many people who do not know its sender were reached. */
      firstContacts?: number;
      /** Announced in the transaction that stores it. */
      news?: readonly Announcement[];
    };

export interface RemoteAsk {
  kind: 'questions' | 'invite' | 'clash';
  title: string;
  /** An address. */
  from: string;
}

/** A kind of thing that homes tell each other, as the service that has it declares it. */
export interface CopyKind<Desc extends DescMessage> {
  /** The answer of get_<kind>. */
  desc: Desc;
  /** Null for one that lacks what a thing of its kind always has. */
  factsOf(message: MessageShape<Desc>): { status: string; startedAt: Date } | null;
  /** Decides under the rules of this home which of its people see a state. It may be called twice for one. */
  admit(state: CopyState<Desc>): Promise<Admission>;
  /** Does further work in the transaction that stores it. @param after null: its home erased it */
  changed?(
    tx: UnitOfWork,
    change: { before: Copy<Desc> | null; after: Copy<Desc> | null; seats: readonly CopySeat[] },
  ): void | Promise<void>;
  /** A thing of this home (uuid) as others are told of it now; null for one of which no one there is told any more. */
  current?(id: string): Promise<Told<Desc> | null>;
  /** A home without people in it may have some again: an erased thing never comes back. */
  comesBack?: boolean;
  /** The entry of one that waits in list_remote_asks; null where it has none. */
  asks?(message: MessageShape<Desc>): RemoteAsk | null;
  /** The copy as its readers get it, where that is not as its home told it. */
  believed?(copy: Copy<Desc>): Copy<Desc>;
  /** Whether it stays when its home erases it: what people gave their word to does. */
  isKept?(message: MessageShape<Desc>): boolean;
  /** Does further work in the transaction that stores the end of an act on a thing of another home, of whatever kind it is. */
  actEnded?(tx: UnitOfWork, act: SentAct, refused: boolean): Promise<void>;
  /** Another home has a state of a thing of this one, or will not have it. @param id without the home */
  settled?(id: string, home: string, delivered: boolean): Promise<void>;
}

const ok: Verdict = { decision: HomeItemDecision.OK };
const rejected = (code: string): Verdict => ({ decision: HomeItemDecision.REJECTED, code });
const broken = ({ path, rule }: BrokenRule): Verdict => ({ ...rejected('schema'), path, rule });

/** A state that came, stored as the copy of its thing. */
export async function takeState<Desc extends DescMessage>(
  parts: ThingParts,
  { kind, declared }: { kind: string; declared: CopyKind<Desc> },
  item: HomeItem,
  standing: Standing,
  call: Call,
): Promise<Verdict> {
  const { database, peers, schema } = parts;
  const read = readState(parts, kind, declared, item);
  if ('refused' in read) return broken(read);
  const held = await findCopy(database.db, schema, read.reference);
  if (held !== null && held.kind !== kind) return rejected('conflict');
  if (held !== null && !isNews(held, read)) return ok;

  const { results } = await peers.identity.findProfiles({ addresses: item.to }, { call });
  const to = results.flatMap(({ profile }) => (isReached(profile) ? profile : []));
  if (to.length === 0 && held === null) return rejected('no_such_address');
  const from = await senderOf(parts, item, call);
  if (from !== null && 'refused' in from) return broken(from);

  const row = { ...read, object: await asOthersMaySay(parts, declared.desc, read.object) };
  const before = held === null ? null : copyOf(parts, declared, held);
  const after = copyOf(parts, declared, held === null ? row : { ...row, ...same(held) });
  const seats = held === null ? [] : await findCopySeats(database.db, schema, held.id);
  const admission = await declared.admit({
    ...{ before, after, seats, to, toCount: item.to.length, from, standing, call },
  });
  if ('refused' in admission)
    return admission.refused === 'schema' ? broken(admission) : rejected(admission.refused);
  if ('waits' in admission) return { decision: HomeItemDecision.LATER };
  const stored = { ...after, notes: admission.notes ?? after.notes };
  const change = { before, after: stored, seats: admission.seats, news: admission.news ?? [] };
  if (!(await store(parts, declared, change)))
    return await takeState(parts, { kind, declared }, item, standing, call);
  return { ...ok, firstContacts: admission.firstContacts ?? 0 };
}

interface Stored<Desc extends DescMessage> {
  before: Copy<Desc> | null;
  after: Copy<Desc>;
  seats: readonly CopySeat[];
  news: readonly Announcement[];
}

/** False where another state was stored meanwhile. */
async function store<Desc extends DescMessage>(
  { clock, commit, schema }: ThingParts,
  declared: CopyKind<Desc>,
  { before, after, seats, news }: Stored<Desc>,
): Promise<boolean> {
  return await commit(async (tx) => {
    if (before === null) {
      if (!(await insertCopy(tx, schema, after, new Date(clock.now())))) return false;
    } else {
      const held = await lockCopy(tx, schema, before.id);
      if (held?.rev !== before.rev || !isSameNotes(held, before)) return false;
      await updateCopy(tx, schema, after);
    }
    await putCopySeats(tx, schema, after, seats);
    await declared.changed?.(tx, { before, after, seats });
    tx.announce(...news);
    tx.wake(copyTopic(after.id));
    return true;
  });
}

const isSameNotes = (one: CopyRow, other: CopyRow) => canonicalize(one.notes) === canonicalize(other.notes);

/** Changes the notes of a copy and who sees it, with its row locked; null where `decide` changes nothing, or there is none. */
export async function changeCopy<Desc extends DescMessage>(
  parts: ThingParts,
  declared: CopyKind<Desc>,
  id: string,
  decide: (tx: UnitOfWork, copy: Copy<Desc>) => CopyChange | null | Promise<CopyChange | null>,
): Promise<Copy<Desc> | null> {
  const { commit, schema } = parts;
  return await commit(async (tx) => {
    const row = await lockCopy(tx, schema, id);
    if (row === null) return null;
    const copy = copyOf(parts, declared, row);
    const change = await decide(tx, copy);
    if (change === null) return null;
    const after = { ...copy, notes: change.notes };
    await updateCopy(tx, schema, after);
    await putCopySeats(tx, schema, after, change.seats);
    tx.wake(copyTopic(id));
    return after;
  });
}

export interface CopyChange {
  notes: JsonObject;
  seats: readonly CopySeat[];
}

/** Woken when that copy (uuid) changes. */
export function copyTopic(id: string): string {
  return `copy:${id}`;
}

/** Forgets a thing that its home erased. */
export async function takeErased(
  parts: ThingParts,
  kinds: ReadonlyMap<string, CopyKind<never>>,
  item: HomeItem,
): Promise<void> {
  const { commit, database, schema } = parts;
  const { id: reference } = JSON.parse(item.bodyJson) as { id: string };
  const held = await findCopy(database.db, schema, reference);
  const declared = held === null ? undefined : (kinds.get(held.kind) as CopyKind<DescMessage> | undefined);
  if (held === null || declared === undefined) return;
  const before = copyOf(parts, declared, held);
  if (declared.isKept?.(before.message) === true) return;
  await commit(async (tx) => {
    if ((await lockCopy(tx, schema, held.id)) === null) return;
    const seats = await findCopySeats(tx, schema, held.id);
    await deleteCopy(tx, schema, held.id);
    await declared.changed?.(tx, { before, after: null, seats });
    tx.wake(copyTopic(held.id));
  });
}

/** The copy; or the rule that makes the object none of its kind. */
function readState<Desc extends DescMessage>(
  { homeNames, ids, reader, clock }: ThingParts,
  kind: string,
  { desc, factsOf }: CopyKind<Desc>,
  item: HomeItem,
): CopyRow | BrokenRule {
  const { object } = JSON.parse(item.bodyJson) as { object?: unknown };
  const read = readObject({ homeNames, reader }, { kind, desc }, { id: item.id, home: item.home, object });
  if ('refused' in read) return read;
  const { kept, message } = read;
  const facts = factsOf(message);
  if (facts === null || Number.isNaN(facts.startedAt.getTime()))
    return brokenRule('body.object', `must have all that a state of the kind ${kind} always has`);
  return {
    ...{ id: ids.uuid(), reference: item.id, kind, home: item.home, rev: Number(item.rev) },
    ...{ object: kept, status: facts.status, final: isFinal(object), notes: {} },
    // It stands in lists by this: never long ahead of what begins later here.
    started_at: new Date(Math.min(Math.max(facts.startedAt.getTime(), 0), clock.now() + mostAheadMs)),
  };
}

const isFinal = (object: unknown) => isJsonObject(object) && object['final'] === true;

/** Null for what is no such answer. */
export function readAnswer<Desc extends DescMessage>(
  reader: Reader,
  desc: Desc,
  json: JsonObject,
): MessageShape<Desc> | null {
  const read = tryRead('', reader, desc, json);
  return 'refused' in read ? null : read.message;
}

/** Nothing follows the last state, and a state is news where its rev is above the one held. */
const isNews = (held: CopyRow, row: CopyRow) => !held.final && row.rev > held.rev;

/** The facts of a copy that no later state changes. */
const same = ({ id, started_at, notes }: CopyRow) => ({ id, started_at, notes });

/** No one under 18 is reached by another home. */
function isReached(profile: Profile | undefined): profile is Profile {
  return profile !== undefined && !profile.minor && profile.home === '';
}

/** Null where a state names no sender; the rule that is broken by one that its home may not name. */
async function senderOf(
  { peers }: ThingParts,
  { from: address, senderJson }: HomeItem,
  call: Call,
): Promise<Caller | BrokenRule | null> {
  if (address === '') return null;
  try {
    const { profile } = await peers.parties.meetParty({ address, senderJson }, { call });
    return profile === undefined
      ? brokenRule('sender', 'must be a party of the home that sends it')
      : callerElsewhere(profile);
  } catch (error) {
    const broken = ruleBrokenIn('sender', error);
    if (broken !== null) return broken;
    throw error;
  }
}

export function copyOf<Desc extends DescMessage>(
  { homeNames, reader }: Pick<ThingParts, 'homeNames' | 'reader'>,
  { desc }: Pick<CopyKind<Desc>, 'desc'>,
  row: CopyRow,
): Copy<Desc> {
  return { ...row, message: reader.readMessage(desc, toHere(desc, row.object, homeNames)) };
}
