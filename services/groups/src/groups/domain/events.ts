import type { Outbox, OutboxRow } from '@hearth/outbox';
import { type ShownFacts, snapshotOf } from '@hearth/people';
import { actorOf, type Caller } from '@hearth/rpc';

/** A group as its row has it. */
export interface AnnouncedGroup {
  id: string;
  handle: string;
  name: string;
  app: string;
}

export type AnnouncedPerson = Pick<ShownFacts, 'id' | 'handle' | 'name' | 'ageBand'>;

/** What every event of a group carries. */
export interface Announcement {
  group: AnnouncedGroup;
  /** The group's after the change. */
  seq: number;
  /** uuids of the apps that hold its members, before or after the change. */
  apps: readonly string[];
  /** Absent for what happens by itself. */
  by?: Caller | undefined;
  topics?: readonly string[] | undefined;
}

type Rows = Pick<Outbox, 'row'>;

function common({ group, seq, apps }: Announcement) {
  const { id, handle, name, app } = group;
  return { group: { id, handle, name, app }, seq: BigInt(seq), apps: [...new Set([app, ...apps])] };
}

const actor = ({ by }: Announcement) => (by === undefined ? undefined : actorOf(by));

export function groupCreated(
  outbox: Rows,
  told: Announcement,
  { groupAi, person }: { groupAi: string; person: string },
): OutboxRow {
  const value = { ...common(told), groupAi, person };
  return outbox.row({ case: 'groupCreated', value }, told.topics, actor(told));
}

/** @param changed name, settings, ends_at, time_zone or archived */
export function groupUpdated(outbox: Rows, told: Announcement, changed: string[]): OutboxRow {
  return outbox.row({ case: 'groupUpdated', value: { ...common(told), changed } }, told.topics, actor(told));
}

/** @param why ended, organizer_left or organizer_archived */
export function groupArchived(outbox: Rows, told: Announcement, why: string): OutboxRow {
  return outbox.row({ case: 'groupArchived', value: { ...common(told), why } }, told.topics, actor(told));
}

export function groupDeleted(outbox: Rows, told: Announcement): OutboxRow {
  return outbox.row({ case: 'groupDeleted', value: common(told) }, told.topics, actor(told));
}

export function memberJoined(
  outbox: Rows,
  told: Announcement,
  person: AnnouncedPerson,
  how: { role: string; via: string; invite?: string | undefined; itemRef?: string | undefined },
): OutboxRow {
  const { role, via, invite = '', itemRef = '' } = how;
  const value = { ...common(told), person: snapshotOf(person), role, via, invite, itemRef };
  return outbox.row({ case: 'memberJoined', value }, told.topics, actor(told));
}

export function memberLeft(outbox: Rows, told: Announcement, person: AnnouncedPerson): OutboxRow {
  const value = { ...common(told), person: snapshotOf(person) };
  return outbox.row({ case: 'memberLeft', value }, told.topics, actor(told));
}

export function memberRemoved(
  outbox: Rows,
  told: Announcement,
  person: AnnouncedPerson,
  reason: string,
): OutboxRow {
  const value = { ...common(told), person: snapshotOf(person), reason };
  return outbox.row({ case: 'memberRemoved', value }, told.topics, actor(told));
}

export function roleChanged(
  outbox: Rows,
  told: Announcement,
  person: AnnouncedPerson,
  role: string,
): OutboxRow {
  const value = { ...common(told), person: snapshotOf(person), role };
  return outbox.row({ case: 'roleChanged', value }, told.topics, actor(told));
}
