import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

export const listRemoteAsks =
  ({ asks }: Context): UnaryHandler<typeof RequestsService.method.listRemoteAsks> =>
  async (request, { caller }) => {
    return await asks().listRemote(request, caller);
  };
