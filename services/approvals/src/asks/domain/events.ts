import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { storeTexts, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type {
  ApprovalRequested,
  ApprovalSettled,
  AskPlaceSchema,
  GivenWordSchema,
  PersonSnapshotSchema,
} from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';

function common({ id, reference, title, kind, item_ref, item_app, ...row }: ApprovalRow) {
  const { group, group_handle, group_name, group_app } = row;
  return {
    approval: reference ?? printId('apr', id),
    title,
    kind,
    itemRef: item_ref ?? '',
    itemApp: item_app ?? '',
    ...(group !== null && {
      group: { id: group, handle: group_handle ?? '', name: group_name ?? '', app: group_app ?? '' },
    }),
  };
}

const appsOf = (apps: readonly (string | null)[]) => [
  ...new Set(apps.filter((app): app is string => app !== null && app !== '')),
];

/** The people and AIs that an ask reaches. */
export interface Audience extends Pick<ApprovalRequested, 'to' | 'frontDoors' | 'quiet' | 'mailed'> {
  /** The list in which the ask appears for each of `to`: uuids. */
  places: MessageInitShape<typeof AskPlaceSchema>[];
  /** uuids of the apps that manage them. */
  apps: readonly string[];
  topics: string[];
}

export function approvalRequested(
  approval: ApprovalRow,
  { apps, topics, ...audience }: Audience,
  by: Caller | undefined,
): Announcement {
  const value = {
    ...common(approval),
    ...audience,
    requestKind: approval.request_kind,
    from: approval.asker_minor ? '' : approval.asker_address,
    expiresAt: timestampFromDate(approval.expires_at),
    about: approval.about ?? '',
    apps: appsOf([...apps, approval.group_app]),
  };
  return { data: { case: 'approvalRequested', value }, topics, by };
}

/** The asker reminds the recipients at these positions by email. */
export function approvalReminded(
  { id }: Pick<ApprovalRow, 'id'>,
  mailed: number[],
  by: Caller | undefined,
): Announcement {
  return { data: { case: 'approvalReminded', value: { approval: printId('apr', id), mailed } }, by };
}

/** The positions of recipients by email who have not answered. */
export function mailedOf(recipients: readonly RecipientRow[]): number[] {
  return recipients.flatMap(({ kind, decision, position }) =>
    kind === 'email' && decision === 'waiting' ? position : [],
  );
}

/** The audience of a settled approval, and the answer that settled it. */
export interface Settled extends Pick<ApprovalSettled, 'to' | 'note' | 'void'> {
  /** How the last answer was given; undefined without an answer. */
  word?: MessageInitShape<typeof GivenWordSchema> | undefined;
  /** uuids of the apps that manage the asker and the recipients. */
  apps: readonly string[];
  topics: string[];
  /** The people who approved. */
  approvedBy: MessageInitShape<typeof PersonSnapshotSchema>[];
}

export function approvalSettled(
  approval: ApprovalRow,
  { apps, topics, word, ...settled }: Settled,
  by: Caller | undefined,
): Announcement {
  const value = {
    ...common(approval),
    ...settled,
    status: approval.status,
    about: approval.about ?? '',
    asker: approval.asker ?? '',
    askerPerson: approval.asker_person ?? '',
    record: approval.record === null ? '' : printId('rec', approval.record),
    invite: approval.invite ?? '',
    joiner: approval.joiner ?? '',
    apps: appsOf([...apps, approval.asker_app, approval.group_app]),
    answeredBy: approval.settled_by ?? '',
    callback: approval.callback !== null,
    ...(word !== undefined && { word }),
  };
  return { data: { case: 'approvalSettled', value }, topics, by };
}

/** A person who is notified of an ask, by their app or by mail. */
export interface Notified {
  person: Pick<PersonFacts, 'id' | 'app' | 'email'>;
  /** uuid of the child they answer for. */
  child: string | null;
}

/** The notices of an ask. A child's name is already shortened. */
export function noticesOf(
  approval: Pick<ApprovalRow, 'id' | 'title' | 'about' | 'asker_name'>,
  notified: readonly Notified[],
  { reminder = false, by }: { reminder?: boolean; by?: Caller | undefined } = {},
): Announcement[] {
  const who = approval.asker_name || t('events.actor.someone');
  const title = t(reminder ? 'notices.ask-reminder' : 'notices.ask', { who, whom: 'you', name: '' });
  return notified.map(({ person, child }) => {
    const value = {
      person: person.id,
      about: approval.about ?? child ?? '',
      ...storeTexts({ title, body: approval.title }),
      link: askPath(approval.id),
      kind: 'approval',
      item: approval.id,
      apps: appsOf([person.app]),
      again: reminder,
    };
    return { data: { case: 'personNotified', value }, by };
  });
}

/** The path of an ask's page. */
export function askPath(approval: string): string {
  return `/a/${printId('apr', approval)}`;
}
