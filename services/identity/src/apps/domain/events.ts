import { printId } from '@hearth/ids';
import type { Outbox, OutboxRow } from '@hearth/outbox';
import { actorOf, type Caller } from '@hearth/rpc';

type Rows = Pick<Outbox, 'row'>;

/** @param changed the fields of an app that changed, `keys` or `signing_secret`; `created` alone for a new one */
export function appChanged(outbox: Rows, app: string, changed: string[], by: Caller): OutboxRow {
  return outbox.row({ case: 'appChanged', value: { app, changed } }, [], actorOf(by));
}

/** @param event uuid of the account_deleted */
export function deletionConfirmed(outbox: Rows, event: string, app: string, by: Caller): OutboxRow {
  return outbox.row(
    { case: 'deletionConfirmed', value: { event: printId('evt', event), app } },
    [],
    actorOf(by),
  );
}
