import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { actingPerson, callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

export const listRemoteAsks =
  ({ asks }: Context): UnaryHandler<typeof RequestsService.method.listRemoteAsks> =>
  async (request, { caller }) => {
    if (caller.kind === callerKinds.APP) actingPerson(caller);
    return await asks().listRemote(request, caller);
  };
