import { create, getOption } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseId, printId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import { app_event } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import { eventBody } from '@hearth/webhooks';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { NewAppEvent } from '../db/app-events.ts';
import type { Draft, View } from '../domain/draft.ts';
import type { KnownApp } from './apps.ts';

/** An event with one of its drafts. */
export interface Selected {
  event: Event;
  draft: Draft;
  /** Which of the drafts of its event it is: of the last one the id is the event's own. */
  last: boolean;
}

/** Null where it is not for this app after all. */
export function render({ event, draft, last }: Selected, app: KnownApp, view: View): NewAppEvent | null {
  const id = parseId('evt', event.id);
  if (id === null || event.at === undefined) return null;
  const data = draft.data(view);
  if (data === null) return null;
  const type = getOption(draft.message, app_event).name;
  const own = last ? id : derivedId(id, type);
  const at = timestampDate(event.at);
  const written = writeMessage(draft.message, create(draft.message, data));
  return {
    app: app.id,
    id: own,
    at,
    type,
    orderKey: draft.orderKey,
    oncePerGroup: draft.oncePerGroup ?? false,
    send: app.url !== '' && app.wants(type),
    body: eventBody({ id: printId('evt', own), type, at, data: written }),
  };
}
