import type { MessageShape } from '@bufbuild/protobuf';
import type { Meeting } from '@hearth/proto/decisions/v1/meetings';
import type { Caller } from '@hearth/rpc';
import { bodyOf } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import { findSeen, type MeetingRow } from '../db/meetings.ts';
import type { MeetingAct, MeetingSide } from '../domain/meeting.ts';
import { sideOf } from './change-meeting.ts';
import { findOwnMeeting } from './find-visible.ts';
import { type Change, callThere, isElsewhere } from './on-elsewhere.ts';
import { tellMove } from './send-offer.ts';
import { showMeeting } from './show.ts';

/**
 * Performs the act of the caller's side at the meeting's home and returns the resulting meeting.
 *
 * @param toThere rewrites the request for a remote home, without anything that only this home knows
 */
export async function changeOwn<Method extends Change>(
  context: Context,
  { caller, method, request }: { caller: Caller; method: Method; request: MessageShape<Method['input']> },
  actOf: (side: MeetingSide, row: MeetingRow) => MeetingAct,
  toThere: (row: MeetingRow) => MessageShape<Method['input']> = () => request,
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
  const act = actOf(sideOf(found, viewer), found);
  const item = context.acts.said(caller)?.item;
  const { state } = await context.meetings.act(found.id, () => ({ act, by: caller, item }));
  if (act.kind === 'propose')
    await tellMove(context, state).catch((err: unknown) => {
      context.log.warn({ err, meeting: state.id }, 'a proposed move waits to be told');
    });
  return showMeeting(context, await context.signing.now(state), viewer);
}
