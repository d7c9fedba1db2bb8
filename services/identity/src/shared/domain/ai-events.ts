import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import type { AiSnapshotSchema } from '@hearth/proto/events/v1/events';
import { actorOf, type Caller } from '@hearth/rpc';
import { cardTopic, whoamiTopic } from './topics.ts';

type Rows = Pick<Outbox, 'row'>;

/** An AI as events tell of it. */
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

/** Who did it; absent when it happened by itself, or nobody shall know. */
type By = Caller | undefined;

const actor = (by: By) => (by === undefined ? undefined : actorOf(by));
const topicsOf = (ai: string) => [cardTopic(ai), whoamiTopic(ai)];

function snapshot(ai: AnnouncedAi): MessageInitShape<typeof AiSnapshotSchema> {
  const { id, address, name, owner, ownerPrivate, groupId } = ai;
  return { id, address, name, owner: owner ?? '', ownerPrivate, group: groupId ?? '' };
}

export function aiSignedUp(outbox: Rows, ai: string, address: string): OutboxRow {
  return outbox.row({ case: 'aiSignedUp', value: { ai, address } });
}

/** @param changed what others see changed: "description", "away" */
export function aiChanged(outbox: Rows, ai: AnnouncedAi, changed: string[], by: By): OutboxRow {
  const { id, owner, address } = ai;
  return outbox.row(
    { case: 'aiChanged', value: { ai: id, changed, owner: owner ?? '', address } },
    topicsOf(id),
    actor(by),
  );
}

/** @param apps uuids of the apps that shall hear it */
export function aiRevoked(
  outbox: Rows,
  ai: AnnouncedAi,
  { reason, apps }: { reason: string; apps: string[] },
  by: By,
): OutboxRow {
  const { id, owner, address } = ai;
  return outbox.row(
    { case: 'aiRevoked', value: { ai: id, reason, owner: owner ?? '', address, apps } },
    topicsOf(id),
    actor(by),
  );
}

export function aiCreated(outbox: Rows, ai: AnnouncedAi, apps: string[], by: By): OutboxRow {
  return outbox.row({ case: 'aiCreated', value: { ai: snapshot(ai), apps } }, [], actor(by));
}

/** @param person uuid of whoever claimed it or vouched for it */
export function aiClaimed(
  outbox: Rows,
  ai: AnnouncedAi,
  { person, group = '', apps }: { person: string; group?: string | undefined; apps: string[] },
  by: By,
): OutboxRow {
  const byLink = ai.status === 'claimed' && ai.claimedByLink;
  return outbox.row(
    { case: 'aiClaimed', value: { ai: snapshot(ai), status: ai.status, byLink, group, apps, person } },
    topicsOf(ai.id),
    actor(by),
  );
}

/**
 * @param ai as it is without its owner
 * @param owner uuid of who owned it
 */
export function aiUnclaimed(
  outbox: Rows,
  ai: AnnouncedAi,
  { owner, why, apps }: { owner: string; why: 'not_my_person' | 'released'; apps: string[] },
  by: By,
): OutboxRow {
  return outbox.row(
    { case: 'aiUnclaimed', value: { ai: snapshot(ai), owner, why, apps } },
    topicsOf(ai.id),
    actor(by),
  );
}

export function aiUnvouched(outbox: Rows, ai: AnnouncedAi, person: string, by: By): OutboxRow {
  return outbox.row({ case: 'aiUnvouched', value: { ai: snapshot(ai), person } }, topicsOf(ai.id), actor(by));
}

/** Tells the person who claimed an AI that it says they are not its person. */
export function claimWasUndone(outbox: Rows, ai: AnnouncedAi, owner: string, apps: string[]): OutboxRow {
  return outbox.row({
    case: 'personNotified',
    value: {
      person: owner,
      title: `${ai.name} is not yours`,
      body: `The AI that you claimed says that you are not its person. It has gone back to ${ai.address}.`,
      link: '/ais',
      kind: 'message',
      item: ai.id,
      apps,
    },
  });
}
