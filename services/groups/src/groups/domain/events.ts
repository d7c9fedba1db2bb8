import type { Announcement, EventData } from '@hearth/outbox';
import { type ShownFacts, snapshotOf } from '@hearth/people';
import type { Caller } from '@hearth/rpc';

export interface AnnouncedGroup {
  id: string;
  handle: string;
  name: string;
  app: string;
}

export type AnnouncedPerson = Pick<ShownFacts, 'id' | 'handle' | 'name' | 'ageBand'>;

/** Fields of every group event. */
export interface GroupChange {
  group: AnnouncedGroup;
  /** The group's seq after the change. */
  seq: number;
  /** uuids of the apps that hold its members, before or after the change. */
  apps: readonly string[];
  /** Absent if no caller made the change. */
  by?: Caller | undefined;
  topics?: readonly string[] | undefined;
}

function common({ group, seq, apps }: GroupChange) {
  const { id, handle, name, app } = group;
  return {
    group: { id, handle, name, app },
    seq: BigInt(seq),
    apps: [...new Set([app, ...apps])].filter((uuid) => uuid !== ''),
  };
}

function event({ topics, by }: GroupChange, data: EventData): Announcement {
  return { data, topics, by };
}

export function groupCreated(change: GroupChange, of: { groupAi: string; person: string }): Announcement {
  return event(change, { case: 'groupCreated', value: { ...common(change), ...of } });
}

/** @param changed name, settings, ends_at, time_zone or archived */
export function groupUpdated(change: GroupChange, changed: string[]): Announcement {
  return event(change, { case: 'groupUpdated', value: { ...common(change), changed } });
}

/** @param why ended, organizer_left or organizer_archived */
export function groupArchived(change: GroupChange, why: string): Announcement {
  return event(change, { case: 'groupArchived', value: { ...common(change), why } });
}

export function groupDeleted(change: GroupChange): Announcement {
  return event(change, { case: 'groupDeleted', value: common(change) });
}

export function memberJoined(
  change: GroupChange,
  person: AnnouncedPerson,
  how: Partial<Record<'invite' | 'itemRef' | 'itemApp', string | undefined>> & { role: string; via: string },
): Announcement {
  const { role, via, invite = '', itemRef = '', itemApp = '' } = how;
  const value = { ...common(change), person: snapshotOf(person), role, via, invite, itemRef, itemApp };
  return event(change, { case: 'memberJoined', value });
}

/** The given reason, and the organizers (uuids) who are notified of it. */
export interface Why {
  reason: string;
  organizers: string[];
}

export function memberLeft(change: GroupChange, person: AnnouncedPerson, why?: Why): Announcement {
  const value = { ...common(change), person: snapshotOf(person), ...why };
  return event(change, { case: 'memberLeft', value });
}

export function memberRemoved(change: GroupChange, person: AnnouncedPerson, why: Why): Announcement {
  const value = { ...common(change), person: snapshotOf(person), ...why };
  return event(change, { case: 'memberRemoved', value });
}

export function roleChanged(change: GroupChange, person: AnnouncedPerson, role: string): Announcement {
  const value = { ...common(change), person: snapshotOf(person), role };
  return event(change, { case: 'roleChanged', value });
}

/** The topic woken when a person's (uuid) groups, or their role in one, change. */
export function groupsTopic(person: string): string {
  return `groups:${person}`;
}
