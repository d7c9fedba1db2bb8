import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsOperator } from '../actions/act-as-operator.ts';
import { askDeletion } from '../actions/deletion.ts';
import type { Context } from '../context.ts';

/** Schedules the deletion of an account, by the operator. */
export const deletePerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.deletePerson> =>
  async ({ id, reason }, { caller: by }) =>
    await actAsOperator(context, { id, by }, (tx, person) => askDeletion(context, tx, person, by, reason));
