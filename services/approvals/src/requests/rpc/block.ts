import { badRequest } from '@hearth/errors';
import { callerKindOf, limitFor } from '@hearth/limits';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { forgetInbox } from '../../contact-rules/module.ts';
import { findTarget } from '../actions/find-target.ts';
import { showBlocks } from '../actions/show-blocks.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { countBlocks, lockBlocksOf, saveBlock } from '../db/blocks.ts';
import { insertReport } from '../db/reports.ts';
import { blockEvent, reportedEvent } from '../domain/events.ts';
import { newReport } from '../domain/reports.ts';

/**
 * Blocks a target for the caller. The event ends everything that waits from it: asks here, messages and
 * invites in their services. Blocking again only updates the reason.
 */
export const block =
  (context: Context): UnaryHandler<typeof RequestsService.method.block> =>
  async (request, call) => {
    const { clock, commit, ids, limits } = context;
    const { caller } = call;
    const person = blockerOf(caller);
    const { target, targetId } = await findTarget(context, request.target, call);
    const most = limitFor(limits, 'blocks_at_once', callerKindOf(caller) ?? 'claimed');
    const at = new Date(clock.now());
    const block = { person, target, targetId, reason: request.reason ?? null, at };
    const about = { about: target, reason: 'other', text: request.reason };
    const report = request.report === true ? newReport({ id: ids.uuid(), at }, about, caller) : null;
    const { announcement, settled } = commit.awaitSettled(blockEvent('blocked', block, caller));
    const row = await commit(async (tx) => {
      await lockBlocksOf(tx, person);
      const saved = await saveBlock(tx, block);
      if (most !== null && (await countBlocks(tx, person)) > most) throw tooMany(most);
      if (targetId !== null) await forgetInbox(tx, person, targetId, at);
      tx.announce(announcement);
      if (report !== null) {
        await insertReport(tx, report);
        tx.announce(reportedEvent(report, caller));
      }
      return saved;
    });
    const isInForce = await settled;
    return { ...(await showBlocks(context, [row], caller))[0]!, ...(!isInForce && { pending: true }) };
  };

function tooMany(most: number): Error {
  return badRequest(`you block ${most} already, which is as many as there can be; lift one first`, {
    code: 'cap_reached',
    limit: 'blocks_at_once',
  });
}
