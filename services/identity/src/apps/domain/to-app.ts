import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { AppSchema } from '@hearth/proto/identity/v1/apps';
import type { AppRow } from '../db/apps.ts';

export function toApp(app: AppRow): MessageInitShape<typeof AppSchema> {
  return {
    id: printId('app', app.id),
    name: app.name,
    redirectUris: app.redirectUris,
    contactEmail: app.contactEmail,
    ...(app.webhookUrl !== null && { webhookUrl: app.webhookUrl }),
    eventTypes: app.eventTypes,
    minors: app.minors,
    createdAt: timestampFromDate(app.createdAt),
  };
}
