import { create, getOption } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { app_event } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import { eventBody } from '@hearth/webhooks';
import type { AppDraft, Draft, View } from '../../events/module.ts';
import { derivedId } from '../../shared/domain/derived-id.ts';
import type { NewAppEvent } from '../db/app-events.ts';
import type { KnownApp } from './apps.ts';

/** One of the drafts of an event. */
export interface Selected extends AppDraft, Draft {
  /** The last one has the id of the event. */
  last: boolean;
}

/** Null where it is not for this app after all. */
export function render(draft: Selected, app: KnownApp, view: View): NewAppEvent | null {
  const { event, at, message, last } = draft;
  const data = draft.data(view);
  if (data === null) return null;
  const type = getOption(message, app_event).name;
  const own = last ? event : derivedId(event, type);
  const written = writeMessage(message, create(message, data));
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
