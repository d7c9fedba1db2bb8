import type { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

export const fetchHomeCard =
  ({ cards }: Context): UnaryHandler<typeof HomeQuestionsService.method.fetchHomeCard> =>
  async ({ address }, { caller }) => ({ json: await cards.fetch(address, caller) });
