import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsOperator } from '../actions/act-as-operator.ts';
import { askDeletion } from '../actions/deletion.ts';
import type { Context } from '../context.ts';

/** Lets an account go in a few days, in the place of its person. */
export const deletePerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.deletePerson> =>
  async ({ id, reason }, { caller: by }) =>
    await actAsOperator(context, { id, by }, (tx, person) => askDeletion(context, tx, person, by, reason));
