import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { AppSchema } from '@hearth/proto/identity/v1/apps';
import { shownSuspension, suspensionOf } from '../../shared/domain/suspension.ts';
import type { AppRow, NewApp } from '../db/apps.ts';

export function toApp(app: NewApp): MessageInitShape<typeof AppSchema> {
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

/** An app as the operator sees it. */
export function toOperator(app: AppRow, now: Date): MessageInitShape<typeof AppSchema> {
  return { ...toApp(app), ...shownSuspension(suspensionOf(app, now)) };
}
