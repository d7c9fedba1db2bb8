import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { change } from '../actions/change.ts';
import { waitingSide } from '../actions/waiting-side.ts';
import type { Context } from '../context.ts';

/** Lets the agreement in: the proposed AI is notified and can sign. */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async ({ keys }, { caller }) => {
    const { row, side } = await waitingSide(context, keys, caller);
    await change(context, row, () => ({ kind: 'place', ai: side.ai, box: 'inbox' }), caller);
    return { status: 'inbox', next: 'The AI that it is proposed to can sign it now, or decline it.' };
  };
