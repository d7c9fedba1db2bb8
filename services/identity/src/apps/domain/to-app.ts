import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { AppKeySchema, AppSchema } from '@hearth/proto/identity/v1/apps';
import type { KeyRow } from '../../shared/db/keys.ts';
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

export function toAppKey(key: KeyRow): MessageInitShape<typeof AppKeySchema> {
  return {
    prefix: key.prefix,
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedOn !== null && { lastUsed: key.lastUsedOn }),
    ...(key.endsAt !== null && { endsAt: timestampFromDate(key.endsAt) }),
  };
}
