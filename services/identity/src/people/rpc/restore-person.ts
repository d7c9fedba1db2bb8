import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { notSuspended } from '../../shared/domain/suspension.ts';
import { changeSuspension } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';

/** Ends a suspension; a person who is not suspended stays as they are. */
export const restorePerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.restorePerson> =>
  async ({ id, reason }, { caller: by }) =>
    await changeSuspension(context, { id, by }, ({ suspendedUntil }) =>
      suspendedUntil === null ? null : [notSuspended, { changed: ['restored'], reason }],
    );
