import type { DescMessage, DescMethod, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { type HomeNames, parseAddress, readId } from '@hearth/addresses';
import { badField, notFound } from '@hearth/errors';
import {
  type Admission,
  brokenRule,
  type Copies,
  type CopySeat,
  type CopyState,
  type SeenCopy,
} from '@hearth/home-acts';
import { addressOf, isMinor, snapshotOf } from '@hearth/people';
import type { GroupSnapshotSchema } from '@hearth/proto/events/v1/events';
import { Scope } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import { anonymous, type Call, type Caller, callerKinds } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { seatTopic } from '../domain/topics.ts';
import type { Deps } from './deps.ts';
import { findHeld } from './find-told.ts';
import { viewerIdOf } from './viewer.ts';

/** The remote thing at this reference; null for a local one. @throws not_found unless the caller may see it */
export async function findElsewhere<Desc extends DescMessage>(
  copies: Copies<Desc>,
  reference: string,
  caller: Caller,
  viewer = viewerIdOf(caller),
): Promise<SeenCopy<Desc> | null> {
  const copy = await copies.find(reference, [viewer]);
  if (copy === undefined) throw notFound();
  return copy;
}

/**
 * `findElsewhere`, which also lets an app acting for no person see a thing if it holds the account of a
 * viewer, and so receives the outcome.
 */
export async function findToldElsewhere<Desc extends DescMessage>(
  { copies, people }: Pick<Deps, 'people'> & { copies: Copies<Desc> },
  reference: string,
  caller: Caller,
): Promise<SeenCopy<Desc> | null> {
  if (caller.kind !== callerKinds.APP) return await findElsewhere(copies, reference, caller);
  const held = await findHeld({ people }, await copies.viewers(reference), caller);
  return await findElsewhere(copies, reference, caller, held?.id);
}

/** Holds the request until the thing changes beyond the caller's revision. */
export function waitOnChange(
  call: Pick<Call, 'waitOn'>,
  { wait = 0, revision }: { wait?: number | undefined; revision?: number | undefined },
  now: { topic: string; final: boolean; revision: number },
): void {
  if (wait > 0 && revision !== undefined && revision >= now.revision && !now.final) call.waitOn(now.topic);
}

/** The request body of an act on a thing. */
export function bodyOf<Method extends DescMethod>(
  method: Method,
  request: MessageShape<Method['input']>,
): JsonObject {
  const { id: _, ...body } = writeMessage(method.input, request) as JsonObject;
  return body;
}

/** Performs an operation at the thing's home for the caller's person; null until that home answers. */
export async function callHome<Desc extends DescMessage, Method extends DescMethod>(
  copies: Copies<Desc>,
  copy: SeenCopy<Desc>,
  method: Method,
  request: MessageShape<Method['input']>,
  caller: Caller,
): Promise<MessageShape<Method['output']> | null> {
  const body = bodyOf(method, request);
  if ('for' in body) throw badField('for', 'is for children, of whom other homes are told nothing');
  return await copies.call(copy, {
    method,
    request: body,
    caller,
    forPerson: true,
    kept: { viewer: viewerIdOf(caller), request: body, from: caller.address },
  });
}

/** The id of a local thing. @throws bad_field for a remote one, where only people of its home can do this */
export function idHere(reference: string, homeNames: HomeNames): string {
  const read = readId(reference, homeNames);
  if ('id' in read) return read.id;
  throw badField('id', `is ${read.reference}: that is done at its home, by people of that home`);
}

/** A remote group's thing. */
export interface OfGroup {
  /** The group's reference. */
  group: string;
  /** Addresses of the people it waits for, in this home's form. */
  waitingOn: readonly string[];
  /** Address of its starter; empty if it names none. */
  by: string;
}

/** Most local people who can see one remote group's thing. */
const mostSeated = 200;

/** The local people who see the thing, and those it now waits for. */
export interface Members {
  seats: CopySeat[];
  /** People it newly waits for, and whether an AI of theirs can answer. */
  needs: { person: string; byAi: boolean }[];
  group: MessageInitShape<typeof GroupSnapshotSchema>;
  /** uuids of the viewers. */
  viewers: string[];
  /** Topics to wake with the news. */
  topics: string[];
}

/** Gives seats only to people known here as members of the remote group. */
export async function admitMembers<Desc extends DescMessage>(
  { homeNames, peers, people: known }: Pick<Deps, 'homeNames' | 'peers' | 'people'>,
  state: CopyState<Desc>,
  { group: reference, waitingOn, by }: OfGroup,
): Promise<Members | Exclude<Admission, { seats: unknown }>> {
  const { seats: before, after } = state;
  // Only people of its own home can start it.
  const isTheirs = by === '' || parseAddress(by, homeNames)?.home === after.home;
  if (!isTheirs) return brokenRule('body.object.by', 'must be of the home that sends it');
  if (!reference.startsWith(`r:${after.home}:`))
    return brokenRule('body.object.group', 'must be of the home that sends it');
  const asked = { group: reference, limit: mostSeated };
  const { members, expected } = await peers.groups.listRoster(asked, { caller: anonymous });
  // The group's state may arrive later.
  if (expected) return { waits: true };
  const roster = new Set(members.map(({ person }) => person));
  const people = (await concernedHere({ people: known }, state, waitingOn)).filter(({ id }) =>
    roster.has(id),
  );
  const seats = people.map(({ id, address }) => ({ viewer: id, waiting: waitingOn.includes(address) }));
  if (seats.length === 0 && before.length === 0) return { refused: 'no_such_address' };
  const [first] = seats;
  const place =
    first === undefined
      ? undefined
      : await peers.groups.findMembership(
          { group: reference, person: first.viewer, elsewhere: true },
          { caller: anonymous },
        );
  const waited = new Set(before.flatMap(({ viewer, waiting }) => (waiting ? [viewer] : [])));
  const waiting = seats.flatMap(({ viewer, waiting }) => (waiting && !waited.has(viewer) ? viewer : []));
  const represented = waiting.length === 0 ? [] : await representedOf(peers, waiting);
  const viewers = seats.map(({ viewer }) => viewer);
  const { name = '', handle = '' } = place?.group ?? {};
  return {
    ...{ seats, viewers, group: { reference, name, handle } },
    needs: waiting.map((person) => ({ person, byAi: represented.includes(person) })),
    topics: [...new Set([...viewers, ...before.map(({ viewer }) => viewer)])].map(seatTopic),
  };
}

/** An item names at most twenty people; add those the thing waits for, and those who already have a seat. */
async function concernedHere<Desc extends DescMessage>(
  { people }: Pick<Deps, 'people'>,
  { to, seats }: CopyState<Desc>,
  waitingOn: readonly string[],
): Promise<{ id: string; address: string }[]> {
  const told = to.filter(({ person }) => person).map(({ id, address }) => ({ id, address }));
  const named = new Set(told.map(({ address }) => address));
  const missing = waitingOn.filter((one) => one.startsWith('@') && !named.has(one)).slice(0, mostSeated);
  const [seated, waiting] = await Promise.all([
    people.find(seats.map(({ viewer }) => viewer)),
    Promise.all(missing.map((address) => people.resolve(address, anonymous))),
  ]);
  const others = [...seated.values(), ...waiting.filter((person) => person !== null)];
  const adults = others
    .filter((other) => !isMinor(other))
    .map((other) => ({ id: other.id, address: addressOf(other) }));
  return [...new Map([...told, ...adults].map((one) => [one.id, one])).values()];
}

async function representedOf(peers: Deps['peers'], people: readonly string[]): Promise<readonly string[]> {
  const request = { people: [...people], permission: Scope.GROUP };
  return (await peers.ais.findRepresented(request, { caller: anonymous })).people;
}

/** The people to notify about an outcome, and the apps that hold their accounts. */
export async function toldOutcome({ people }: Pick<Deps, 'people'>, viewers: readonly string[]) {
  const facts = [...(await people.find(viewers)).values()];
  const apps = [...new Set(facts.map(({ app }) => app))].filter((app) => app !== '');
  return { people: facts.map(snapshotOf), apps };
}
