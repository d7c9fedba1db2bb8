import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';

/** @param changed the fields of an app that changed, `keys` or `signing_secret`; `created` alone for a new one */
export function appChanged(app: string, changed: string[], by: Caller): Announcement {
  return { data: { case: 'appChanged', value: { app, changed } }, by };
}

/** @param event uuid of the account_deleted */
export function deletionConfirmed(event: string, app: string, by: Caller): Announcement {
  return { data: { case: 'deletionConfirmed', value: { event: printId('evt', event), app } }, by };
}
