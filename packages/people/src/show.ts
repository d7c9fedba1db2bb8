import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { PersonSnapshotSchema } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand, type Person, PersonKind, PersonSchema } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import { shieldId } from './shield.ts';

/** The facts that decide how a person is shown; PersonFacts has them. */
export type ShownFacts = Pick<
  PersonFacts,
  'id' | 'handle' | 'name' | 'ageBand' | 'guest' | 'guardians' | 'aiShare' | 'app' | 'home'
>;

/** A person's address: "@ada" here, "ada@hearth.example" elsewhere. */
export function addressOf({ handle, home }: Pick<PersonFacts, 'handle' | 'home'>): string {
  return home === '' ? `@${handle}` : `${handle}@${home}`;
}

/** Whether the person is suspended by the operator at `now`. */
export function isSuspended({ suspendedUntil }: Pick<PersonFacts, 'suspendedUntil'>, now: number): boolean {
  return suspendedUntil !== undefined && timestampMs(suspendedUntil) > now;
}

export function isMinor({ ageBand }: Pick<PersonFacts, 'ageBand'>): boolean {
  return ageBand !== AgeBand.ADULT;
}

/** The identity that shielded ids are derived from: an app sees the same ids, whoever it acts for. */
export function viewerOf(caller: Pick<Caller, 'app' | 'person' | 'id'>): string {
  return caller.app || caller.person || caller.id;
}

/** Whether the caller sees a person under 18 in full: themselves, their guardians, and the app that holds them do. */
export function seesWhole(
  facts: Pick<ShownFacts, 'id' | 'ageBand' | 'guardians' | 'app'>,
  caller: Pick<Caller, 'app' | 'person' | 'id'>,
): boolean {
  if (!isMinor(facts)) return true;
  if (caller.app !== '') return caller.app === facts.app;
  const person = caller.person || caller.id;
  return person === facts.id || facts.guardians.includes(person);
}

/** Replaces an address in records that would identify a person under 18. */
export const underAge = 'under-18';

/** "Ada Lovelace" as strangers see it: "Ada L." A single word is kept, up to its first 20 characters. */
export function shortenName(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const first = [...(words[0] ?? '')].slice(0, 20).join('');
  const last = words.length > 1 ? [...(words.at(-1) as string)][0] : undefined;
  return last === undefined ? first : `${first} ${last}.`;
}

/** A person as the caller may see them. */
export function showPerson(
  keys: Pick<Sealer, 'derive'>,
  facts: ShownFacts,
  caller: Pick<Caller, 'app' | 'person' | 'id'>,
): Person {
  const { ageBand, guest } = facts;
  const common = { kind: PersonKind.PERSON, ageBand, guest };
  if (!seesWhole(facts, caller)) {
    const id = shieldId(keys, viewerOf(caller), facts.id);
    return create(PersonSchema, {
      ...common,
      id,
      address: id,
      name: shortenName(facts.name),
      shielded: true,
    });
  }
  const minor = isMinor(facts);
  const [guardian] = facts.guardians;
  return create(PersonSchema, {
    ...common,
    id: printId('per', facts.id),
    address: addressOf(facts),
    handle: facts.handle,
    name: facts.name,
    ...(minor && guardian !== undefined && { guardian: printId('per', guardian) }),
    ...(minor && { aiShare: facts.aiShare }),
    ...(facts.app !== '' && { app: printId('app', facts.app) }),
    ...(facts.home !== '' && { home: facts.home }),
  });
}

/** A person as events and activity store them: under 18 with a shortened name and no handle. */
export function snapshotOf(
  facts: Pick<ShownFacts, 'id' | 'handle' | 'name' | 'ageBand'>,
): MessageInitShape<typeof PersonSnapshotSchema> {
  const minor = isMinor(facts);
  return {
    id: facts.id,
    name: minor ? shortenName(facts.name) : facts.name,
    handle: minor ? '' : facts.handle,
    minor,
  };
}

/** The time that may be shown next to a shielded person: its UTC day. */
export function shieldedTime(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs);
}

const dayMs = 86_400_000;
