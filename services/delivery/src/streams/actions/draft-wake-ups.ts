import { timestampMs } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import { type EventData, eventType } from '@hearth/outbox';
import type { Event } from '@hearth/proto/events/v1/events';
import { wakeUps } from '@hearth/webhooks';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { Draft, EventCase, Mappers } from '../domain/draft.ts';
import { approvalEvents } from '../domain/of-approvals.ts';
import { messageEvents } from '../domain/of-messages.ts';

/** Every family of events that wakes AIs: a new one is added here. */
const mappers: Mappers = { ...approvalEvents, ...messageEvents };

/** The events that wake AIs, by the names that they are heard by. */
export const wakeUpTypes = (Object.keys(mappers) as EventCase[]).map((name) =>
  eventType({ case: name, value: {} } as EventData),
);

const kinds = new Map(wakeUps.map((kind) => [kind.message.typeName, kind]));

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What an event leaves empty names nobody. */
const isUuid = (text: string) => uuid.test(text);

/** A wake-up as it will be recorded for whomever it concerns. */
export interface DraftedWakeUp extends Omit<Draft, 'message'> {
  /** uuid: the event's, or derived of it when it is the second kind of wake-up of one event. */
  id: string;
  name: string;
  at: Date;
  /** Concerns AIs that nobody owns, too. */
  withoutOwner: boolean;
  /** uuid of who did it: nobody is woken for what they did themselves. */
  by: string;
}

/** What an event wakes AIs for; nothing for one without id or moment. */
export function draftsOf(event: Event): DraftedWakeUp[] {
  const { data, at, by } = event;
  const id = parseId('evt', event.id);
  const mapper = data.case === undefined ? undefined : mappers[data.case];
  if (id === null || at === undefined || mapper === undefined) return [];
  const drafts = (mapper as (value: unknown) => readonly Draft[])(data.value);
  const first = drafts[0]?.message;
  return drafts.map(({ message, ...rest }) => {
    const { name, withoutOwner } = kinds.get(message.typeName)!;
    return {
      ...rest,
      ais: rest.ais.filter(isUuid),
      people: rest.people.filter(isUuid),
      groups: rest.groups.filter(isUuid),
      id: message === first ? id : derivedId(id, name),
      name,
      withoutOwner,
      at: new Date(timestampMs(at)),
      by: by?.id ?? '',
    };
  });
}
