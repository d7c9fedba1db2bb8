import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { PersonSnapshotSchema } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import { actorOf } from '@hearth/rpc';

type Rows = Pick<Outbox, 'row'>;

/** What is told of an approval; its row has it. */
export interface ToldApproval {
  id: string;
  title: string;
  kind: string;
  request_kind: string;
  asker: string | null;
  asker_person: string | null;
  asker_app: string | null;
  asker_address: string;
  asker_minor: boolean;
  about: string | null;
  group: string | null;
  group_handle: string | null;
  group_name: string | null;
  group_app: string | null;
  item_ref: string | null;
  invite: string | null;
  joiner: string | null;
  status: string;
  expires_at: Date;
  settled_at: Date | null;
  settled_by: string | null;
  record: string | null;
}

function common({ id, title, kind, item_ref, ...row }: ToldApproval) {
  const { group, group_handle, group_name, group_app } = row;
  return {
    approval: printId('apr', id),
    title,
    kind,
    itemRef: item_ref ?? '',
    ...(group !== null && {
      group: { id: group, handle: group_handle ?? '', name: group_name ?? '', app: group_app ?? '' },
    }),
  };
}

const appsOf = (apps: readonly (string | null)[]) => [
  ...new Set(apps.filter((app): app is string => app !== null && app !== '')),
];

/** Whom an ask reaches. */
export interface Asked {
  /** uuids of people and AIs. */
  to: string[];
  /** uuids of AIs at a front door. */
  frontDoors: string[];
  /** Those of `to` who are not woken. */
  quiet: string[];
  /** In whose list it stands for each of `to`: uuids. */
  places: { to: string; owner: string; box: string; requestKind: string; quiet: boolean }[];
  /** uuids of the apps that hold them. */
  apps: readonly string[];
  topics: string[];
}

export function approvalRequested(
  outbox: Rows,
  approval: ToldApproval,
  { apps, topics, ...asked }: Asked,
  by: Caller | undefined,
): OutboxRow {
  const value = {
    ...common(approval),
    ...asked,
    requestKind: approval.request_kind,
    from: approval.asker_minor ? '' : approval.asker_address,
    expiresAt: timestampFromDate(approval.expires_at),
    about: approval.about ?? '',
    apps: appsOf([...apps, approval.group_app]),
  };
  return outbox.row({ case: 'approvalRequested', value }, topics, by === undefined ? undefined : actorOf(by));
}

/** To whom it is told that an approval settled, and by whom it did. */
export interface Settled {
  /** uuids of those who were asked. */
  to: string[];
  /** uuids of the apps that hold who asked and who was asked. */
  apps: readonly string[];
  topics: string[];
  /** What was written with the last word, for who wants to join a group; else empty. */
  note: string;
  /** The people who said yes. */
  approvedBy: MessageInitShape<typeof PersonSnapshotSchema>[];
}

export function approvalSettled(
  outbox: Rows,
  approval: ToldApproval,
  { to, apps, topics, note, approvedBy }: Settled,
  by: Parameters<Outbox['row']>[2],
): OutboxRow {
  const value = {
    ...common(approval),
    status: approval.status,
    about: approval.about ?? '',
    asker: approval.asker ?? '',
    askerPerson: approval.asker_person ?? '',
    to,
    record: approval.record === null ? '' : printId('rec', approval.record),
    invite: approval.invite ?? '',
    joiner: approval.joiner ?? '',
    apps: appsOf([...apps, approval.asker_app, approval.group_app]),
    // It rises from one approval to the next, and each settles once.
    seq: BigInt(approval.settled_at?.getTime() ?? 0),
    answeredBy: approval.settled_by ?? '',
    note,
    approvedBy,
  };
  return outbox.row({ case: 'approvalSettled', value }, topics, by);
}

/** What somebody is told on the channels of the app that holds them. */
export interface Notice {
  /** uuid of the person, and of the app that holds them. */
  person: { id: string; app: string };
  /** uuid of the person under 18 that it is about; empty otherwise. */
  about: string;
  title: string;
  body: string;
  /** A path of the site. */
  link: string;
  /** uuid of the approval. */
  item: string;
}

export function personNotified(
  outbox: Rows,
  { person, ...notice }: Notice,
  by: Caller | undefined,
): OutboxRow {
  const value = { ...notice, person: person.id, kind: 'approval', apps: appsOf([person.app]) };
  return outbox.row({ case: 'personNotified', value }, [], by === undefined ? undefined : actorOf(by));
}
