import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { Notice } from './notice.ts';

/**
 * Returns the event `notify` for an app (uuid), under the id of its notice. It is handled like every app
 * event, as if the service that has the thing had named the app.
 */
export function appNotice(notice: Notice, app: string, link: string): Event {
  const { id, at, person, about, title, body, kind, item } = notice;
  return create(EventSchema, {
    id: printId('evt', id),
    at: timestampFromDate(at),
    data: {
      case: 'personNotified',
      value: { person, about: about ?? '', title, body, link, kind, item, apps: [app] },
    },
  });
}
