import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { changeApproval } from '../actions/change-approval.ts';
import { itemOf } from '../actions/item-of.ts';
import type { Context } from '../context.ts';
import { relabelRecipient } from '../db/recipients.ts';

export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async ({ keys, label }) => {
    const { id, positions } = itemOf(keys);
    await changeApproval(context, id, async (_, recipients, tx) => {
      for (const one of recipients) {
        if (positions.includes(one.position) && one.decision === 'waiting')
          await relabelRecipient(tx, one, label);
      }
      return null;
    });
    return {};
  };
