import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { actAsOperator } from '../actions/act-as-operator.ts';
import { takeDeletionBack } from '../actions/deletion.ts';
import type { Context } from '../context.ts';

/** Cancels the pending deletion of an account, by the operator. */
export const keepPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.keepPerson> =>
  async ({ id, reason }, { caller: by }) =>
    await actAsOperator(context, { id, by }, (tx, person) =>
      takeDeletionBack(context, tx, person, by, reason),
    );
