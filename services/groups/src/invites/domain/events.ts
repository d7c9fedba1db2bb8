import type { Announcement } from '@hearth/outbox';
import { isMinor, snapshotOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { AnnouncedGroup, AnnouncedPerson } from '../../groups/module.ts';
import { type Notice, personNotified } from '../../shared/domain/notice.ts';

/** Fields of every invite event. */
export interface InviteChange {
  group: AnnouncedGroup;
  invite: { id: string; item_ref: string; app: string | null };
  /** uuids of further apps that receive it, besides the group's. */
  apps: readonly string[];
  /** Absent if no caller made the change. */
  by?: Caller | undefined;
}

function common({ group, invite, apps }: InviteChange) {
  const { id, handle, name, app } = group;
  return { group: { id, handle, name, app }, invite: invite.id, apps: appsOf([app, ...apps]) };
}

const appsOf = (apps: readonly string[]) => [...new Set(apps)].filter((app) => app !== '');

const itemOf = ({ invite }: InviteChange) => ({ itemRef: invite.item_ref, itemApp: invite.app ?? '' });

/** @param mailed whether it is sent to an email address */
export function inviteCreated(
  change: InviteChange,
  { reusable, mailed }: { reusable: boolean; mailed: boolean },
): Announcement {
  const value = { ...common(change), reusable, mailed, ...itemOf(change) };
  return { data: { case: 'inviteCreated', value }, by: change.by };
}

/** @param person the joiner or recipient, if known */
export function inviteEnded(change: InviteChange, why: string, person?: AnnouncedPerson): Announcement {
  const snapshot = person === undefined ? {} : { person: snapshotOf(person) };
  const value = { ...common(change), why, ...itemOf(change), ...snapshot };
  return { data: { case: 'inviteEnded', value }, by: change.by };
}

export function joinAsked(change: InviteChange, person: AnnouncedPerson, waitingFor: string[]): Announcement {
  const value = { ...common(change), person: snapshotOf(person), waitingFor };
  return { data: { case: 'joinAsked', value }, by: change.by };
}

export interface PersonWithGuardians {
  facts: PersonFacts;
  guardians: PersonFacts[];
}

/**
 * Notices for a person; for a person under 18, their guardians get them.
 *
 * @param except uuid of a guardian who already knows
 */
export function noticesFor(
  { facts, guardians }: PersonWithGuardians,
  notice: Notice,
  except = '',
): Announcement[] {
  // Their own home notifies remote people.
  if (facts.home !== '') return [];
  if (!isMinor(facts)) return [personNotified(facts, '', notice)];
  return guardians
    .filter(({ id }) => id !== except)
    .map((guardian) => personNotified(guardian, facts.id, notice));
}
