import { timestampMs } from '@bufbuild/protobuf/wkt';
import { isUuid, parseId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import { typesOf } from '../../shared/domain/event-data.ts';
import type { Copy, Mapper, Mappers, NoticeDraft } from './notice.ts';
import { messageEvents } from './of-messages.ts';
import { noticeEvents } from './of-notices.ts';

const mappers: Mappers = { ...messageEvents, ...noticeEvents };

/** The events of which people are notified. */
export const noticedTypes = typesOf(mappers);

/** The notice of an event; null for an event without one, or with one that cannot be given. */
export function draftOf({ id, at, data }: Event): NoticeDraft | null {
  const event = parseId('evt', id);
  const mapper = data.case === undefined ? undefined : (mappers[data.case] as Mapper<never> | undefined);
  const copy: Copy | null = mapper?.(data.value as never) ?? null;
  if (event === null || at === undefined || copy === null) return null;
  if (![copy.person, copy.item].every(isUuid)) return null;
  return { event, at: new Date(timestampMs(at)), ...copy };
}
