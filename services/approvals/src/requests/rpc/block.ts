import { badRequest } from '@hearth/errors';
import { callerKindOf, limitFor } from '@hearth/limits';
import { actorOf } from '@hearth/rpc';
import { forgetInbox } from '../../contact-rules/db/senders.ts';
import { whomToBlock } from '../actions/find-target.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { RequestsContext } from '../context.ts';
import { countBlocks, saveBlock } from '../db/blocks.ts';
import { insertReport } from '../db/reports.ts';
import { blockedEvent, reportedEvent } from '../domain/events.ts';
import type { RequestsHandlers } from './index.ts';
import { showBlocks } from './list-blocks.ts';
import { newReport } from './report.ts';

/**
 * Nothing of theirs comes through from then on, and what waits of them is ended by those who hear of it: asks here,
 * messages and invites where they are. Blocking again changes the reason at most.
 */
export const block =
  (context: RequestsContext): RequestsHandlers['block'] =>
  async (request, call) => {
    const { clock, database, limits, outbox } = context;
    const { caller } = call;
    const owner = blockerOf(caller);
    const { target, targetId } = await whomToBlock(context, request.target, call);
    const most = limitFor(limits, 'blocks_at_once', callerKindOf(caller) ?? 'claimed');
    const at = new Date(clock.now());
    const report =
      request.report === true ? newReport(context, target, 'other', request.reason, caller) : null;
    const events = [
      blockedEvent(outbox, { person: owner, target, targetId: targetId ?? '' }, actorOf(caller)),
      ...(report === null ? [] : [reportedEvent(outbox, report, actorOf(caller))]),
    ];
    const row = await database.transaction(async (tx) => {
      const saved = await saveBlock(tx, {
        person: owner,
        target,
        targetId,
        reason: request.reason ?? null,
        at,
      });
      if (most !== null && (await countBlocks(tx, owner)) > most) throw tooMany(most);
      if (targetId !== null) await forgetInbox(tx, owner, targetId, at);
      if (report !== null) await insertReport(tx, report);
      await outbox.announce(tx, events);
      return saved;
    });
    outbox.committed(events);
    return (await showBlocks(context.people, [row], caller))[0]!;
  };

function tooMany(most: number): Error {
  return badRequest(`you block ${most} already, which is as many as there can be; lift one first`, {
    code: 'cap_reached',
    limit: 'blocks_at_once',
  });
}
