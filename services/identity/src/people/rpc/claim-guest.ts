import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Gives an account a sign-in: a guest's first, or a different one. */
export const claimGuest = (context: Context): UnaryHandler<typeof PeopleService.method.claimGuest> =>
  context.claimGuest;
