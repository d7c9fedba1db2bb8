import { timestampMs } from '@bufbuild/protobuf/wkt';
import { isUuid, parseId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import { writeMessage } from '@hearth/proto-json';
import { wakeUps } from '@hearth/webhooks';
import { derivedId } from '../../shared/domain/derived-id.ts';
import { typesOf } from '../../shared/domain/event-data.ts';
import type { DraftedWakeUp, Mapper, Mappers } from '../domain/draft.ts';
import { approvalEvents } from '../domain/of-approvals.ts';
import { messageEvents } from '../domain/of-messages.ts';

/** Every family of events that wakes AIs: a new one is added here. */
const mappers: Mappers = { ...approvalEvents, ...messageEvents };

/** The events that wake AIs. */
export const wakeUpTypes = typesOf(mappers);

const kinds = new Map(wakeUps.map((kind) => [kind.message.typeName, kind]));

/** The wake-ups of an event; none for one without id or moment. */
export function draftsOf(event: Event): DraftedWakeUp[] {
  const { data, at, by } = event;
  const id = parseId('evt', event.id);
  const mapper = data.case === undefined ? undefined : (mappers[data.case] as Mapper<never> | undefined);
  if (id === null || at === undefined || mapper === undefined) return [];
  const drafts = mapper(data.value as never);
  const first = drafts[0]?.message;
  return drafts.map(({ message, data: payload, ais, people, groups }) => {
    const { name, withoutOwner } = kinds.get(message.typeName)!;
    return {
      data: writeMessage(message, payload),
      // A field that the event leaves empty names no one.
      ais: ais.filter(isUuid),
      people: people.filter(isUuid),
      groups: groups.filter(isUuid),
      id: message === first ? id : derivedId(id, name),
      name,
      withoutOwner,
      at: new Date(timestampMs(at)),
      by: by?.id ?? '',
    };
  });
}
