import type { MessageShape } from '@bufbuild/protobuf';
import type { Meeting } from '@hearth/proto/decisions/v1/meetings';
import type { Caller } from '@hearth/rpc';
import { asOwner } from '../../shared/actions/as-owner.ts';
import { bodyOf } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { findSeen, type MeetingRow } from '../db/meetings.ts';
import type { MeetingAct, MeetingSide } from '../domain/meeting.ts';
import { findOwnMeeting } from './find-visible.ts';
import { type Change, callThere, isElsewhere } from './on-elsewhere.ts';
import { requireSide } from './require-side.ts';
import { tellMove } from './send-offer.ts';
import { showMeeting } from './show.ts';

interface Asked<Method extends Change> {
  caller: Caller;
  method: Method;
  request: MessageShape<Method['input']>;
}

/**
 * Performs the act of the caller's side at the meeting's home and returns the resulting meeting.
 *
 * @param toThere rewrites the request for a remote home, without anything that only this home knows
 */
export async function changeOwn<Method extends Change>(
  context: Context,
  asked: Asked<Method>,
  actOf: (side: MeetingSide, row: MeetingRow) => MeetingAct,
  toThere: (row: MeetingRow) => MessageShape<Method['input']> = () => asked.request,
): Promise<Meeting> {
  return await asOwner(context, asked.caller, (caller) =>
    changeAs(context, { ...asked, caller }, actOf, toThere),
  );
}

async function changeAs<Method extends Change>(
  context: Context,
  { caller, method, request }: Asked<Method>,
  actOf: (side: MeetingSide, row: MeetingRow) => MeetingAct,
  toThere: (row: MeetingRow) => MessageShape<Method['input']>,
): Promise<Meeting> {
  const viewer = viewerIdOf(caller);
  const found = await findOwnMeeting(context, request.id, caller);
  if (isElsewhere(found)) {
    const { elsewhere, guest } = found;
    const body = bodyOf(method, toThere(found));
    const answer = (await callThere(context, elsewhere, method, body, caller, guest)) as Meeting | null;
    const now = (await findSeen(context.database.db, elsewhere, viewer)) ?? found;
    const shown = showMeeting(context, now, viewer);
    // Pending until the remote home answers; the answer then decides the state.
    if (answer === null) return { ...shown, pending: true };
    return answer.revision > now.revision ? answer : shown;
  }
  const item = context.acts.said(caller)?.item;
  let kind: MeetingAct['kind'] | undefined;
  const { state } = await context.meetings.act(found.id, (row) => {
    const act = actOf(requireSide(caller, [row.host, row.guest]) === 0 ? 0 : 1, row);
    kind = act.kind;
    return { act, by: caller, item };
  });
  if (kind === 'propose')
    await tellMove(context, state).catch((err: unknown) => {
      context.log.warn({ err, meeting: state.id }, 'a proposed move waits to be told');
    });
  return showMeeting(context, await context.signing.now(state), viewer);
}
