import type { ReceivedEvent } from '@hearth/runtime';
import { findBoth } from '../actions/copied.ts';
import { doErrands } from '../actions/errands.ts';
import type { Context } from '../context.ts';

/** Asks the people here at once about what another home told of its agreement. Repeated calls change nothing. */
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
