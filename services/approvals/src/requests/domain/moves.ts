import { timestampDate } from '@bufbuild/protobuf/wkt';
import { blockEnds, isMinor, isSuspended } from '@hearth/people';
import type { Event } from '@hearth/proto/events/v1/events';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { ItemRow } from '../db/items.ts';

/** A change that may end items or give them to another viewer: uuids. */
export type Change =
  | { what: 'deleted'; person: string }
  | { what: 'revoked'; ai: string }
  | { what: 'door'; ai: string }
  /** `former` is the previous owner; empty if unknown. */
  | { what: 'hands'; ai: string; former: string }
  | { what: 'rules'; person: string }
  | { what: 'family'; child: string }
  /** With `before`, later items stay; without it, the block is in force. */
  | { what: 'blocked'; person: string; sender: string; before?: Date }
  /** `home` includes all of its subdomains. */
  | { what: 'blocked_home'; person: string; home: string; before?: Date };

export const changeTypes = [
  'account_deleted',
  'ai_revoked',
  'ai_changed',
  'ai_claimed',
  'ai_unclaimed',
  'ai_suspended',
  'person_changed',
  'blocked',
  'request_rules_changed',
];

/** The changes that an event implies. */
export function changesOf({ at, data }: Pick<Event, 'at' | 'data'>): Change[] {
  switch (data.case) {
    case 'accountDeleted':
      return data.value.deleted.map((person) => ({ what: 'deleted', person }));
    case 'aiRevoked':
      return [{ what: 'revoked', ai: data.value.ai }];
    case 'aiChanged':
      return [{ what: 'door', ai: data.value.ai }];
    case 'aiClaimed':
      return data.value.ai === undefined ? [] : handsOf(data.value.ai.id, '');
    case 'aiUnclaimed':
      return data.value.ai === undefined ? [] : handsOf(data.value.ai.id, data.value.owner);
    case 'aiSuspended':
      return data.value.ai === undefined ? [] : [{ what: 'door', ai: data.value.ai.id }];
    case 'personChanged':
      return [...(data.value.person === undefined ? [] : [data.value.person.id]), ...data.value.wards].map(
        (child) => ({ what: 'family', child }),
      );
    case 'requestRulesChanged':
      return [{ what: 'rules', person: data.value.person }];
    case 'blocked': {
      const { person, target, targetId: sender } = data.value;
      const until = at === undefined ? {} : { before: blockEnds(timestampDate(at)) };
      if (sender !== '') return [{ what: 'blocked', person, sender, ...until }];
      // Every sender is known here, so a block of their address has their id.
      return target.startsWith('@')
        ? [{ what: 'blocked_home', person, home: target.slice(1), ...until }]
        : [];
    }
    default:
      return [];
  }
}

const handsOf = (ai: string, former: string): Change[] => [
  { what: 'door', ai },
  { what: 'hands', ai, former },
];

/** The checks after an item was placed, since its viewer may have changed in the meantime. */
export function checksOf({
  owner,
  holder,
  box,
  subject = null,
}: Pick<ItemRow, 'owner' | 'holder' | 'box' | 'subject'>): Change[] {
  const hands: Change[] = subject === null ? [] : [{ what: 'hands', ai: subject, former: '' }];
  if (holder === null || holder === owner) return hands;
  if (box !== 'front_door') return [...hands, { what: 'family', child: owner }];
  return [...hands, { what: 'door', ai: holder }, { what: 'rules', person: owner }];
}

/**
 * Whether an AI is no longer its owner's front door: switched off, owned by another person, or without the
 * permission to send messages.
 */
export function hasLeft(
  { owner }: Pick<ItemRow, 'owner'>,
  ai: Pick<AiFacts, 'owner' | 'revoked' | 'permissions'> | undefined,
): boolean {
  return ai === undefined || ai.revoked || ai.owner !== owner || !ai.permissions.includes(Scope.MESSAGE);
}

/** The people who answer for a child: uuids. */
export interface Answering {
  /** The guardians, the responsible one first and suspended ones last; the former child once of age. */
  answering: string[];
  /** Suspended guardians; empty if all are suspended. */
  suspended: string[];
}

/** @param guardians the facts of the child's guardians */
export function answeringFor(
  child: PersonFacts,
  guardians: ReadonlyMap<string, PersonFacts>,
  now: number,
): Answering {
  if (!isMinor(child)) return { answering: [child.id], suspended: [] };
  const isPresent = (id: string) => {
    const facts = guardians.get(id);
    return facts !== undefined && !isSuspended(facts, now);
  };
  const present = child.guardians.filter(isPresent);
  if (present.length === 0) return { answering: child.guardians, suspended: [] };
  const suspended = child.guardians.filter((id) => !present.includes(id));
  return { answering: [...present, ...suspended], suspended };
}

/**
 * The items of or about a child that wait for a person who does not answer for the child, or are missing at a
 * person who does.
 */
export function misplaced<Item extends Pick<ItemRow, 'id' | 'owner' | 'holder'>>(
  items: readonly Item[],
  child: string,
  family: Answering,
): Item[] {
  const lacks = (all: readonly Item[]) =>
    all.every(({ owner }) => owner !== child) &&
    family.answering.some((id) => all.every(({ owner }) => owner !== id));
  return [...Map.groupBy(items, ({ id }) => id).values()].flatMap((all) =>
    lacks(all) ? all : all.filter((item) => isElsewhere(item, family)),
  );
}

/**
 * Whether an item of or about a child waits for a person who does not answer for the child, or in the child's
 * place with a suspended guardian.
 */
function isElsewhere({ owner, holder }: Pick<ItemRow, 'owner' | 'holder'>, family: Answering): boolean {
  if (!family.answering.includes(holder ?? owner)) return true;
  return holder !== null && family.suspended.includes(holder);
}
