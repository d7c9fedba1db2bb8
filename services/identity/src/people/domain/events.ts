import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import { snapshotOf } from '@hearth/people';
import type { AccountDeletedSchema } from '@hearth/proto/events/v1/events';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actorOf, type Caller } from '@hearth/rpc';
import { cardTopic, whoamiTopic } from '../../shared/domain/topics.ts';

type Rows = Pick<Outbox, 'row'>;
type By = Caller | undefined;

const actor = (by: By) => (by === undefined ? undefined : actorOf(by));
const topicsOf = (person: string) => [cardTopic(person), whoamiTopic(person)];

export function personCreated(outbox: Rows, facts: PersonFacts, apps: string[], by: By): OutboxRow {
  return outbox.row({ case: 'personCreated', value: { person: snapshotOf(facts), apps } }, [], actor(by));
}

/**
 * @param facts as they are after the change
 * @param changed name, handle, age_band, guardian, ai_share, app, guest or time_zone
 */
export function personChanged(
  outbox: Rows,
  facts: PersonFacts,
  { changed, apps, seq }: { changed: string[]; apps: string[]; seq: number },
  by: By,
): OutboxRow {
  return outbox.row(
    { case: 'personChanged', value: { person: snapshotOf(facts), changed, apps, seq: BigInt(seq) } },
    topicsOf(facts.id),
    actor(by),
  );
}

export function deletionAsked(
  outbox: Rows,
  facts: PersonFacts,
  { deletesAt, apps }: { deletesAt: Date; apps: string[] },
  by: By,
): OutboxRow {
  return outbox.row(
    {
      case: 'deletionAsked',
      value: { person: snapshotOf(facts), deletesAt: timestampFromDate(deletesAt), apps },
    },
    topicsOf(facts.id),
    actor(by),
  );
}

export function deletionTakenBack(outbox: Rows, facts: PersonFacts, apps: string[], by: By): OutboxRow {
  return outbox.row(
    { case: 'deletionTakenBack', value: { person: snapshotOf(facts), apps } },
    topicsOf(facts.id),
    actor(by),
  );
}

/** @param people uuids whose cards change by it, beside those that are deleted */
export function accountDeleted(
  outbox: Rows,
  value: MessageInitShape<typeof AccountDeletedSchema> & { deleted: string[] },
  people: readonly string[],
): OutboxRow {
  return outbox.row({ case: 'accountDeleted', value }, [...value.deleted, ...people].flatMap(topicsOf));
}
