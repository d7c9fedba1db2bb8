import type { ReceivedEvent } from '@hearth/runtime';
import { doCopyErrands } from '../actions/copy-errands.ts';
import type { Context } from '../context.ts';

/** Asks the people here at once about what another home told of its agreement. Repeated it changes nothing. */
export const onToldElsewhere = (context: Context) => ({
  durable: 'errands-of-agreements-elsewhere',
  types: ['agreement_changed'],
  async handle(received: readonly ReceivedEvent[]) {
    const told = received.flatMap(({ event: { data } }) =>
      data.case === 'agreementChanged' && data.value.reference !== '' ? [data.value.agreement] : [],
    );
    for (const id of new Set(told)) await doCopyErrands(context, id);
  },
});
