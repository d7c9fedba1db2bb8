import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { hour, nowDate, second } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { isHearthError } from '@hearth/errors';
import { anonymous, type Caller } from '@hearth/rpc';
import { listMembers } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import {
  type Decision,
  endJoinApproval,
  findJoinApproval,
  insertJoinApproval,
  type JoinApproval,
  listDueJoinApprovals,
  noteSynced,
  postponeSync,
} from '../db/join-approvals.ts';
import { findJoinRequest, type JoinRequest } from '../db/join-requests.ts';
import type { Approver } from '../domain/join-state.ts';
import { unlessDeleted } from './unless-deleted.ts';

/*
 * Each pending join request has an approval in the approvals service. Its wanted state is stored with the
 * join request and synced after the commit, with retries until confirmed.
 */

/** Opens an approval that asks this approver; returns the join request with its uuid. */
export async function openApproval(
  { clock, ids }: Pick<Context, 'clock' | 'ids'>,
  tx: Tx,
  invite: Pick<InviteRow, 'id' | 'group'>,
  join: JoinRequest,
  role: Approver,
): Promise<JoinRequest> {
  const approval = ids.uuid();
  const { person } = join;
  const row = { id: approval, group: invite.group, invite: invite.id, person, role };
  await insertJoinApproval(tx, row, nowDate(clock));
  return { ...join, approval };
}

/** Ends the open approval of a join request that was decided or ended here. */
export async function closeApproval(
  { clock }: Pick<Context, 'clock'>,
  tx: Tx,
  { approval }: Pick<JoinRequest, 'approval'>,
  wanted: 'approved' | 'declined' | 'cancelled',
  said: Decision | null = null,
): Promise<void> {
  if (approval !== null) await endJoinApproval(tx, approval, { wanted, said }, nowDate(clock));
}

/** The approver of the join request's open approval; null if none is open. */
export async function openApprover(
  tx: Tx,
  { approval }: Pick<JoinRequest, 'approval'>,
): Promise<Approver | null> {
  const found = approval === null ? null : await findJoinApproval(tx, approval);
  return found?.wanted === 'waiting' ? found.role : null;
}

/** @param by uuid of the person who decided */
export function decisionOf({ via, proof }: Caller, by: string, note: string): Decision {
  return { by, note, via, proof };
}

type SyncContext = Pick<Context, 'approvals' | 'clock' | 'database' | 'log' | 'people'>;

const batch = 20;
/** How long a caller waits for the sync. */
const timeoutMs = 3 * second;

/** Syncs the approvals of one invite right after a change, or all due ones. Failures are retried later. */
export async function syncJoinApprovals(context: SyncContext, invite: string | null = null): Promise<void> {
  const { clock, database, log } = context;
  for (const row of await listDueJoinApprovals(database.db, invite, nowDate(clock), batch)) {
    try {
      const synced = await sync(context, row);
      await database.statement((tx) =>
        synced ? noteSynced(tx, row, nowDate(clock)) : postponeSync(tx, row, retryAt(context, row)),
      );
    } catch (err) {
      log.warn(
        { err, approval: row.id },
        'an approval of a join request was not synced; it is retried later',
      );
      await database.statement((tx) => postponeSync(tx, row, retryAt(context, row)));
      // The approvals service is down, so the others would fail too.
      if (isHearthError(err) && err.kind === 'unavailable') return;
    }
  }
}

function retryAt({ clock }: Pick<Context, 'clock'>, { attempts }: JoinApproval): Date {
  return new Date(clock.now() + Math.min(5 * second * 2 ** Math.min(attempts, 10), hour));
}

/** Syncs an approval. Returns false if there is no approver now. */
async function sync(context: SyncContext, row: JoinApproval): Promise<boolean> {
  if (row.wanted === 'waiting') return await open(context, row);
  const { approvals } = context;
  const { id, said, wanted } = row;
  const options = { caller: anonymous, timeoutMs };
  const told =
    said === null || wanted === 'cancelled'
      ? approvals.cancelJoin({ id }, options)
      : approvals.settleJoin({ ...said, id, approved: wanted === 'approved' }, options);
  // It may never have been opened there.
  await unlessDeleted(told);
  return true;
}

async function open({ approvals, database, people }: SyncContext, row: JoinApproval): Promise<boolean> {
  const { id, group, person, role } = row;
  const [invite, join, facts] = await Promise.all([
    findInvite(database.db, row.invite),
    findJoinRequest(database.db, row.invite, person),
    people.everywhere.findOne(person),
  ]);
  if (invite === null || join === null || facts === null) return false;
  const to =
    role === 'guardian'
      ? facts.guardians
      : (await listMembers(database.db, group, 'organizer')).map((member) => member.person);
  if (to.length === 0) return false;
  const { item_ref: itemRef, app: itemApp, expires_at } = invite;
  const expiresAt = timestampFromDate(expires_at);
  const named = { id, group, invite: invite.id, person, to, role };
  const request = { ...named, note: join.note, itemRef, itemApp: itemApp ?? '', expiresAt };
  await approvals.askJoin(request, { caller: anonymous, timeoutMs });
  return true;
}
