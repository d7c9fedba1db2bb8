import { timestampDate } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import type { ReceivedEvent } from '@hearth/runtime';
import { appendItems } from '../actions/append-items.ts';
import { ownDraft } from '../actions/own-draft.ts';
import type { Context } from '../context.ts';
import { listLogHomes } from '../db/logs.ts';

/**
 * Notifies every home with a log that a key of this home was revoked, in addition to the error that the key's
 * next use may cause.
 */
export const onKeyRevoked = (context: Context) => ({
  durable: 'revoked-keys',
  types: ['home_key_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      const { id, at, data } = event;
      const uuid = parseId('evt', id);
      if (data.case !== 'homeKeyChanged' || data.value.status !== 'revoked') continue;
      if (uuid === null || at === undefined) continue;
      const revokedAt = timestampDate(at);
      const body = { kind: 'key_revoked', kid: data.value.kid, revoked_at: revokedAt.toISOString() };
      const draft = ownDraft('notice', uuid, body, revokedAt);
      for (const home of await listLogHomes(context.database.db)) {
        if ((await context.homes.policyOf(home)) === 'blocked') continue;
        const { destination } = await context.commit((tx) => appendItems(tx, context, home, [draft]));
        context.engine.poke([destination]);
      }
    }
  },
});
