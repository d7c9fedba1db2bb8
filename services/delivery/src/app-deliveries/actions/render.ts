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

/** A draft of an event, with the apps that receive it. */
export interface Selected extends AppDraft, Draft {
  /** The last draft takes the id of the event itself. */
  last: boolean;
}

/** A shielded person's id as a JSON string; inside quoted text its quotes would be escaped. */
const shielded = /"shp_[0-9a-f]{32}"/;

/**
 * Renders a draft for one app; null if the app may not see it after all. An event that names a shielded
 * person gets an app-specific id and the day only, so that two apps cannot match their events.
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
  // `seq` is set when the event is stored.
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
