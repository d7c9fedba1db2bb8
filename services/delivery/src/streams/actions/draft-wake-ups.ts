import { derivedId, isUuid } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import { writeMessage } from '@hearth/proto-json';
import { wakeUps } from '@hearth/webhooks';
import { audiences } from '../../events/module.ts';
import type { DraftedWakeUp } from '../domain/draft.ts';

const kinds = new Map(wakeUps.map((kind) => [kind.message.typeName, kind]));

/** Returns the wake-ups that an event causes; none for an event without id or time. */
export function draftsOf(event: Event): DraftedWakeUp[] {
  const drafts = audiences.wakeUp.drafts(event);
  const first = drafts[0]?.message;
  return drafts.map(({ event: id, at, by, message, data, ais, people, groups }) => {
    const { name, withoutOwner } = kinds.get(message.typeName)!;
    return {
      data: writeMessage(message, data),
      // The event leaves a field empty where there is no AI, person or group.
      ais: ais.filter(isUuid),
      people: people.filter(isUuid),
      groups: groups.filter(isUuid),
      id: message === first ? id : derivedId(id, name),
      name,
      withoutOwner,
      at,
      by: by.id,
    };
  });
}
