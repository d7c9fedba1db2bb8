import { nowDate } from '@hearth/clock';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { readSuspension } from '../../shared/actions/read-suspension.ts';
import { actAsOperator } from '../actions/act-as-operator.ts';
import { changePerson } from '../actions/change-person.ts';
import type { Context } from '../context.ts';

/** Suspends a person, their AIs, and apps acting for them until a moment; repeating it changes the moment. */
export const suspendPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.suspendPerson> =>
  async (request, { caller: by }) => {
    const suspension = readSuspension(context.limits, request, nowDate(context.clock));
    const { suspendedUntil: until, suspendReason: reason } = suspension;
    return await actAsOperator(context, { id: request.id, by }, async (tx, person) => {
      await changePerson(context, tx, person, suspension, { changed: ['suspended'], until, reason, by });
      return { ...person, ...suspension };
    });
  };
