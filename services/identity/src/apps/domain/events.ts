import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';

/**
 * @param changed names of changed fields, `keys` or `signing_secret`; or one of `created`, `suspended` and
 * `restored`
 *
 * @param by absent if a suspension expired
 */
export function appChanged(
  app: string,
  changed: string[],
  by: Caller | undefined,
  { until, reason = '' }: { until?: Date; reason?: string } = {},
): Announcement {
  const value = { app, changed, reason, ...(until && { until: timestampFromDate(until) }) };
  return { data: { case: 'appChanged', value }, by };
}

/** @param event uuid of the account_deleted event */
export function deletionConfirmed(event: string, app: string, by: Caller): Announcement {
  return { data: { case: 'deletionConfirmed', value: { event: printId('evt', event), app } }, by };
}
