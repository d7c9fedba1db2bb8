import { badField } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { changeApproval } from '../actions/change-approval.ts';
import { itemOf } from '../actions/item-of.ts';
import type { Context } from '../context.ts';
import { changePlace } from '../db/recipients.ts';

/** Moves an ask out of the requests, to the asks that wait for the person's answer. */
export const acceptItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.acceptItem> =>
  async ({ keys, note }) => {
    if (note !== '')
      throw badField('note', 'an ask is answered with reply_approval, which takes a note; accept it first');
    const { id, positions } = itemOf(keys);
    await changeApproval(context, id, async (_, recipients, tx) => {
      for (const recipient of recipients) {
        if (
          !positions.includes(recipient.position) ||
          recipient.decision !== 'waiting' ||
          recipient.owner === null
        )
          continue;
        // An ask at the front door goes to the person; an ask to an AI stays with the AI.
        const owner =
          recipient.box === 'front_door' ? (recipient.person ?? recipient.owner) : recipient.owner;
        await changePlace(tx, recipient, { owner, box: 'inbox' });
      }
      return null;
    });
    return { status: 'inbox' };
  };
