import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { passOn } from '../actions/pass-on.ts';
import { waitingInvitation } from '../actions/waiting-invitation.ts';
import type { Context } from '../context.ts';

export const passItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.passItem> =>
  async ({ keys, note }, { caller }) => {
    await passOn(context, await waitingInvitation(context, keys[0]?.id ?? '', caller), note, caller);
    return {};
  };
