import { badField } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { nearest } from '@hearth/proto-json';
import { type WakeUpKind, wakeUps } from '@hearth/webhooks';
import { groupElsewhere } from '../../shared/domain/group-elsewhere.ts';

const kinds = new Map(wakeUps.map((kind) => [kind.name, kind]));

/** The filter of a poll or a subscription. */
export interface WakeUpFilter {
  /** Null for every kind. */
  name: string | null;
  /** uuid; null for all. A group that does not exist, or that the AI does not see, has no wake-ups. */
  group: string | null;
  /** r:<home>:<id> of a remote group. */
  groupReference?: string;
}

/** @throws bad_field for an unknown event, or a group where the event has none */
export function readFilter({
  name,
  group,
}: {
  name?: string | undefined;
  group?: string | undefined;
}): WakeUpFilter {
  const kind = name === undefined ? null : readKind(name);
  if (group === undefined) return { name: kind?.name ?? null, group: null };
  if (kind !== null && !kind.groupFilter)
    throw badField('group', `cannot narrow ${kind.name}, which is of no group; leave it out`);
  const named = { name: kind?.name ?? null };
  if (group.startsWith('r:')) return { ...named, group: groupElsewhere(group), groupReference: group };
  const id = parseId('grp', group);
  if (id === null)
    throw badField(
      'group',
      'must be the id of a group: grp_ and 32 lower-case hex digits, or r:<home>:<id> of another home',
    );
  return { ...named, group: id };
}

/** @throws bad_field for an unknown event */
export function readKind(name: string): WakeUpKind {
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  const close = nearest(name, [...kinds.keys()]);
  const hint = close === null || close === undefined ? '' : `; did you mean ${close}?`;
  throw badField('name', `must be one of ${[...kinds.keys()].join(', ')}${hint}`);
}
