import type { DescMessage } from '@bufbuild/protobuf';
import type { Announcement, UnitOfWork } from '@hearth/outbox';
import { callerElsewhere } from '@hearth/people';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { type HomeItem, HomeItemDecision } from '@hearth/proto/federation/v1/items';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import { canonicalize, type JsonObject } from '@hearth/signing';
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
import type { Copy, CopyKind, PeerStanding } from './copy-kind.ts';
import type { ThingParts } from './home-things.ts';
import { asOthersMaySay } from './others-word.ts';
import { readState } from './read-state.ts';
import type { Verdict } from './received-acts.ts';

const ok: Verdict = { decision: HomeItemDecision.OK };
const rejected = (code: string): Verdict => ({ decision: HomeItemDecision.REJECTED, code });
const broken = ({ path, rule }: BrokenRule): Verdict => ({ ...rejected('schema'), path, rule });

/** Stores a received state as the copy of its thing. */
export async function takeState<Desc extends DescMessage>(
  parts: ThingParts,
  { kind, declared }: { kind: string; declared: CopyKind<Desc> },
  item: HomeItem,
  standing: PeerStanding,
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

  const row = { ...read, object: await asOthersMaySay(parts, declared.desc, read.object, read.home) };
  const before = held === null ? null : copyOf(parts, declared, held);
  const after = copyOf(parts, declared, held === null ? row : { ...row, ...same(held) });
  const seats = held === null ? [] : await findCopySeats(database.db, schema, held.id);
  const admission = await declared.admit({
    ...{ before, after, seats, to, toCount: item.to.length, from, standing, call },
  });
  if ('refused' in admission) {
    if (admission.refused !== 'schema') return rejected(admission.refused);
    if (before !== null && admission.disputed !== undefined)
      await noteDisputed(parts, declared, before, admission.disputed);
    return broken(admission);
  }
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

/** Returns false if another state was stored in the meantime. */
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

/** Marks the held copy as disputed, unless it was changed in the meantime: its home resends the state. */
async function noteDisputed<Desc extends DescMessage>(
  parts: ThingParts,
  declared: CopyKind<Desc>,
  before: Copy<Desc>,
  { notes, news }: { notes: JsonObject; news: readonly Announcement[] },
): Promise<void> {
  await changeCopy(parts, declared, before.id, async (tx, held) => {
    if (held.rev !== before.rev || !isSameNotes(held, before)) return null;
    const seats = await findCopySeats(tx, parts.schema, held.id);
    await declared.changed?.(tx, { before, after: { ...before, notes }, seats });
    tx.announce(...news);
    return { notes, seats };
  });
}

const isSameNotes = (one: CopyRow, other: CopyRow) => canonicalize(one.notes) === canonicalize(other.notes);

/** Changes a copy's notes and seats, with its row locked; null if `decide` changes nothing, or there is no copy. */
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

/** Topic that is woken when the copy (uuid) changes. */
export function copyTopic(id: string): string {
  return `copy:${id}`;
}

/** Deletes the copy of a thing that its home erased. */
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

/** A state is news if its rev is above the held one; nothing follows a final state. */
const isNews = (held: CopyRow, row: CopyRow) => !held.final && row.rev > held.rev;

/** The fields of a copy that later states do not change. */
const same = ({ id, started_at, notes }: CopyRow) => ({ id, started_at, notes });

/** Other homes do not reach anyone under 18. */
function isReached(profile: Profile | undefined): profile is Profile {
  return profile !== undefined && !profile.minor && profile.home === '';
}

/** Returns null if a state names no sender; the broken rule if its home may not name that sender. */
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
