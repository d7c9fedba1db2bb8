import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { notSuspended } from '../../shared/domain/suspension.ts';
import { actAsOperator } from '../actions/act-as-operator.ts';
import { changePerson } from '../actions/change-person.ts';
import type { Context } from '../context.ts';

/** Ends a suspension; a person who is not suspended stays as they are. */
export const restorePerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.restorePerson> =>
  async ({ id, reason }, { caller: by }) =>
    await actAsOperator(context, { id, by }, async (tx, person) => {
      if (person.suspendedUntil === null) return person;
      await changePerson(context, tx, person, notSuspended, { changed: ['restored'], reason, by });
      return { ...person, ...notSuspended };
    });
