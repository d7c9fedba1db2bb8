import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { storeTexts, t } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';
import type { AiSnapshotSchema } from '@hearth/proto/events/v1/events';
import type { Caller } from '@hearth/rpc';
import { cardTopic, whoamiTopic } from './topics.ts';

/** An AI as events name it. */
export interface AnnouncedAi {
  /** uuid */
  id: string;
  address: string;
  name: string;
  owner: string | null;
  ownerPrivate: boolean;
  status: 'claimed' | 'vouched' | 'unclaimed';
  claimedByLink: boolean;
  groupId: string | null;
}

/** Absent if no caller did it, or to keep the caller anonymous. */
type By = Caller | undefined;

const topicsOf = (ai: string) => [cardTopic(ai), whoamiTopic(ai)];

function snapshot(ai: AnnouncedAi): MessageInitShape<typeof AiSnapshotSchema> {
  const { id, address, name, owner, ownerPrivate, groupId } = ai;
  return { id, address, name, owner: owner ?? '', ownerPrivate, group: groupId ?? '' };
}

export function aiSignedUp(ai: string, address: string): Announcement {
  return { data: { case: 'aiSignedUp', value: { ai, address } } };
}

/** @param changed what others see changed: "description", "away" */
export function aiChanged({ id, owner, address }: AnnouncedAi, changed: string[], by: By): Announcement {
  const value = { ai: id, changed, owner: owner ?? '', address };
  return { data: { case: 'aiChanged', value }, topics: topicsOf(id), by };
}

/** @param apps uuids of the apps to notify */
export function aiRevoked(
  { id, owner, address }: AnnouncedAi,
  { reason, apps }: { reason: string; apps: string[] },
  by: By,
): Announcement {
  const value = { ai: id, reason, owner: owner ?? '', address, apps };
  return { data: { case: 'aiRevoked', value }, topics: topicsOf(id), by };
}

/** @param apps uuids of the apps that hold the owner, or made the group */
export function aiSuspended(
  ai: AnnouncedAi,
  { until, reason, apps }: { until: Date; reason: string; apps: string[] },
  by: By,
): Announcement {
  const value = { ai: snapshot(ai), until: timestampFromDate(until), reason, apps };
  return { data: { case: 'aiSuspended', value }, topics: topicsOf(ai.id), by };
}

/** @param by absent if the suspension expired */
export function aiRestored(
  ai: AnnouncedAi,
  { reason, apps }: { reason: string; apps: string[] },
  by: By,
): Announcement {
  const value = { ai: snapshot(ai), reason, apps };
  return { data: { case: 'aiRestored', value }, topics: topicsOf(ai.id), by };
}

export function aiCreated(ai: AnnouncedAi, apps: string[], by: By): Announcement {
  return { data: { case: 'aiCreated', value: { ai: snapshot(ai), apps } }, by };
}

/** @param person uuid of the new owner or the voucher */
export function aiClaimed(
  ai: AnnouncedAi,
  { person, group = '', apps }: { person: string; group?: string | undefined; apps: string[] },
  by: By,
): Announcement {
  const byLink = ai.status === 'claimed' && ai.claimedByLink;
  const value = { ai: snapshot(ai), status: ai.status, byLink, group, apps, person };
  return { data: { case: 'aiClaimed', value }, topics: topicsOf(ai.id), by };
}

/**
 * @param ai without its owner
 *
 * @param owner uuid of the previous owner
 */
export function aiUnclaimed(
  ai: AnnouncedAi,
  { owner, why, apps }: { owner: string; why: 'not_my_person' | 'released'; apps: string[] },
  by: By,
): Announcement {
  const value = { ai: snapshot(ai), owner, why, apps };
  return { data: { case: 'aiUnclaimed', value }, topics: topicsOf(ai.id), by };
}

export function aiUnvouched(ai: AnnouncedAi, person: string, by: By): Announcement {
  return { data: { case: 'aiUnvouched', value: { ai: snapshot(ai), person } }, topics: topicsOf(ai.id), by };
}

/** Notifies the claimer that the AI said they are not its person. */
export function claimWasUndone(ai: AnnouncedAi, owner: string, apps: string[]): Announcement {
  return {
    data: {
      case: 'personNotified',
      value: {
        person: owner,
        ...storeTexts({
          title: t('notices.claim-undone', { ai: ai.name }),
          body: t('notices.claim-undone-more', { address: ai.address }),
        }),
        link: '/ais',
        kind: 'message',
        item: ai.id,
        apps,
      },
    },
  };
}
