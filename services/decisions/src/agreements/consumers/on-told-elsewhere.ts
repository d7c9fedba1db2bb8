import type { ReceivedEvent } from '@hearth/runtime';
import { findBoth } from '../actions/copied.ts';
import { doErrands } from '../actions/errands.ts';
import type { Context } from '../context.ts';

/** Runs the errands of remote agreements as soon as a new state arrives. Idempotent. */
export const onToldElsewhere = (context: Context) => ({
  durable: 'errands-of-agreements-elsewhere',
  types: ['agreement_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const told = received.flatMap(({ event: { data } }) =>
      data.case === 'agreementChanged' && data.value.reference !== '' ? [data.value.agreement] : [],
    );
    for (const row of await findBoth(context, [...new Set(told)])) await doErrands(context, row);
  },
});
