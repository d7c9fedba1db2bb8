import { create, getOption } from '@bufbuild/protobuf';
import { derivedId, printId } from '@hearth/ids';
import { shieldEvent, shieldedTime } from '@hearth/people';
import { app_event } from '@hearth/proto/options';
import { writeMessage } from '@hearth/proto-json';
import type { Sealer } from '@hearth/sealing';
import { eventBody } from '@hearth/webhooks';
import type { AppDraft, Draft, View } from '../../events/module.ts';
import type { NewAppEvent } from '../db/app-events.ts';
import type { KnownApp } from './apps.ts';

/** One of the drafts of an event. */
export interface Selected extends AppDraft, Draft {
  /** The last one has the id of the event. */
  last: boolean;
}

/** An id of a person whom the app may not know: in a text of others it would stand between escaped quotes. */
const shielded = /"shp_[0-9a-f]{32}"/;

/**
 * Null where it is not for this app after all. With a shielded person in it the app gets an id of its own and the day, so
 * that two apps cannot find out that they were told of the same.
 */
export function render(
  sealer: Pick<Sealer, 'derive'>,
  draft: Selected,
  app: KnownApp,
  view: View,
): NewAppEvent | null {
  const { event, at, message, last } = draft;
  const data = draft.data(view);
  if (data === null) return null;
  const type = getOption(message, app_event).name;
  const written = writeMessage(message, create(message, data)) as Record<string, unknown>;
  // Counted when it is stored.
  delete written.seq;
  const hides = shielded.test(JSON.stringify(written));
  const drafted = last ? event : derivedId(event, type);
  const own = hides ? shieldEvent(sealer, app.id, drafted) : drafted;
  return {
    app: app.id,
    event,
    id: own,
    at,
    type,
    orderKey: draft.orderKey,
    oncePerGroup: draft.oncePerGroup ?? false,
    counted: message.fields.some(({ name }) => name === 'seq'),
    send: app.url !== '' && app.wants(type),
    body: eventBody({ id: printId('evt', own), type, at: hides ? shieldedTime(at) : at, data: written }),
  };
}
