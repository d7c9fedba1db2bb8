import { timestampDate } from '@bufbuild/protobuf/wkt';
import { blockEnds, isMinor } from '@hearth/people';
import type { Event } from '@hearth/proto/events/v1/events';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { ItemRow } from '../db/items.ts';

/** A change that may end items, or give them to another viewer: uuids. */
export type Change =
  | { what: 'deleted'; person: string }
  | { what: 'revoked'; ai: string }
  | { what: 'door'; ai: string }
  /** `former` is who owned the AI before; empty where that is not known. */
  | { what: 'hands'; ai: string; former: string }
  | { what: 'rules'; person: string }
  | { what: 'family'; child: string }
  /** `before`: what came since stays; absent where they block now. */
  | { what: 'blocked'; person: string; sender: string; before?: Date }
  /** `home` is a whole home, with all below it. */
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

/** The changes that an event tells. */
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
      return data.value.person === undefined ? [] : [{ what: 'family', child: data.value.person.id }];
    case 'requestRulesChanged':
      return [{ what: 'rules', person: data.value.person }];
    case 'blocked': {
      const { person, target, targetId: sender } = data.value;
      const until = at === undefined ? {} : { before: blockEnds(timestampDate(at)) };
      if (sender !== '') return [{ what: 'blocked', person, sender, ...until }];
      // Whoever has sent something is known here, so a block of their address has their id.
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

/** The changes after which an item that has just been placed may be another viewer's already. */
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

/** Whether an AI is a front door of the owner's no more: switched off, with another owner, or without leave to send messages. */
export function hasLeft(
  { owner }: Pick<ItemRow, 'owner'>,
  ai: Pick<AiFacts, 'owner' | 'revoked' | 'permissions'> | undefined,
): boolean {
  return ai === undefined || ai.revoked || ai.owner !== owner || !ai.permissions.includes(Scope.MESSAGE);
}

/** uuids of those who answer for a child: the guardians, the responsible one first; the child once of age. */
export function answeringFor(child: PersonFacts): string[] {
  return isMinor(child) ? child.guardians : [child.id];
}

/** Those of the items of a child, or about one, that wait at a person who does not answer for them, or of which one who does has none. */
export function misplaced<Item extends Pick<ItemRow, 'id' | 'owner' | 'holder'>>(
  items: readonly Item[],
  child: string,
  answering: readonly string[],
): Item[] {
  const lacks = (all: readonly Item[]) =>
    all.every(({ owner }) => owner !== child) &&
    answering.some((one) => all.every(({ owner }) => owner !== one));
  return [...Map.groupBy(items, ({ id }) => id).values()].flatMap((all) =>
    lacks(all) ? all : all.filter((item) => isElsewhere(item, answering)),
  );
}

/** Whether an item of a child, or about one, waits at a person who does not answer for them. */
export function isElsewhere(
  { owner, holder }: Pick<ItemRow, 'owner' | 'holder'>,
  answering: readonly string[],
): boolean {
  return !answering.includes(holder ?? owner);
}
