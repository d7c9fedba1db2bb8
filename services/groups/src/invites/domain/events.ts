import type { Outbox, OutboxRow } from '@hearth/outbox';
import { type ShownFacts, snapshotOf } from '@hearth/people';
import { actorOf, type Caller } from '@hearth/rpc';
import type { AnnouncedGroup, AnnouncedPerson } from '../../groups/domain/events.ts';

/** What every event of an invite carries. */
export interface InviteAnnouncement {
  group: AnnouncedGroup;
  invite: { id: string; item_ref: string };
  /** uuids of the apps that hear it beside the group's own. */
  apps: readonly string[];
  /** Absent for what happens by itself. */
  by?: Caller | undefined;
}

type Rows = Pick<Outbox, 'row'>;

function common({ group, invite, apps }: InviteAnnouncement) {
  const { id, handle, name, app } = group;
  return { group: { id, handle, name, app }, invite: invite.id, apps: appsOf([app, ...apps]) };
}

const actor = ({ by }: Pick<InviteAnnouncement, 'by'>) => (by === undefined ? undefined : actorOf(by));

const appsOf = (apps: readonly string[]) => [...new Set(apps)].filter((app) => app !== '');

export function inviteCreated(
  outbox: Rows,
  told: InviteAnnouncement,
  reusable: boolean,
  topics: string[],
): OutboxRow {
  const value = { ...common(told), reusable, itemRef: told.invite.item_ref };
  return outbox.row({ case: 'inviteCreated', value }, topics, actor(told));
}

/** @param person whom it concerned, when known */
export function inviteEnded(
  outbox: Rows,
  told: InviteAnnouncement,
  why: string,
  person?: AnnouncedPerson,
): OutboxRow {
  const value = {
    ...common(told),
    why,
    itemRef: told.invite.item_ref,
    ...(person !== undefined && { person: snapshotOf(person) }),
  };
  return outbox.row({ case: 'inviteEnded', value }, [], actor(told));
}

export function joinAsked(
  outbox: Rows,
  told: InviteAnnouncement,
  person: AnnouncedPerson,
  waitingFor: string[],
): OutboxRow {
  const value = { ...common(told), person: snapshotOf(person), waitingFor };
  return outbox.row({ case: 'joinAsked', value }, [], actor(told));
}

/** What somebody is told on the channels of the app that holds them. */
export interface Notice {
  title: string;
  body: string;
  /** A path of the site. */
  link: string;
  kind: 'approval' | 'invite';
  /** uuid */
  item: string;
  by?: Caller | undefined;
}

/** @param about uuid of the child that it is about; empty otherwise */
export function personNotified(
  outbox: Rows,
  person: { id: string; app: string },
  about: string,
  notice: Notice,
): OutboxRow {
  const { title, body, link, kind, item } = notice;
  const value = { person: person.id, about, title, body, link, kind, item, apps: appsOf([person.app]) };
  return outbox.row({ case: 'personNotified', value }, [], actor(notice));
}

/** Whom a notice for somebody goes to: for somebody under 18 to their guardians. */
export function noticeFor(
  outbox: Rows,
  facts: Pick<ShownFacts, 'id' | 'app' | 'ageBand'>,
  guardians: readonly { id: string; app: string }[],
  notice: Notice,
  minor: boolean,
): OutboxRow[] {
  if (!minor) return [personNotified(outbox, facts, '', notice)];
  return guardians.map((guardian) => personNotified(outbox, guardian, facts.id, notice));
}
