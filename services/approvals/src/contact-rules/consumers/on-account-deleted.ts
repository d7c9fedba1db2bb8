import type { ReceivedEvent } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { deleteRulesOf } from '../db/rules.ts';

/** Deletes the person's rules, proposals, counts, sender labels and blocks. */
export const onAccountDeleted = ({ database }: Context) => ({
  durable: 'erasure',
  types: ['account_deleted'],
  async handle(received: readonly ReceivedEvent[]) {
    const people = received.flatMap(({ event: { data } }) =>
      data.case === 'accountDeleted' ? data.value.deleted : [],
    );
    for (const person of people) await database.transaction((tx) => deleteRulesOf(tx, person));
  },
});
