import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** Signs the content of a card; unchanged content gets the same card for a while. */
export const signCard =
  ({ cards }: Context): UnaryHandler<typeof IdentityService.method.signCard> =>
  async ({ card }, call) =>
    cards.signed(card!, call);
