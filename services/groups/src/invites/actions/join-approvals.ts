import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { hour, second } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { isHearthError } from '@hearth/errors';
import { anyone, type Caller } from '@hearth/rpc';
import { listMembers } from '../../groups/db/members.ts';
import type { InvitesContext } from '../context.ts';
import { findInvite, type InviteRow } from '../db/invites.ts';
import {
  type AskRow,
  endAsk,
  findAsk,
  insertAsk,
  listDueAsks,
  noteNotTold,
  noteTold,
  type Said,
} from '../db/join-approvals.ts';
import { findJoin, type JoinRow } from '../db/join-requests.ts';
import { waitingFor } from '../domain/join-state.ts';

/*
 * Whose word somebody waits for is asked for it by an approval. What approvals shall know of it is written down with the
 * wish itself and told after the commit, again and again until it is confirmed.
 */

/** Writes down the ask for the word that is to come first, the guardian's before the organizers'; the wish with it. */
export async function withAsk(
  { clock, ids }: Pick<InvitesContext, 'clock' | 'ids'>,
  tx: Tx,
  invite: Pick<InviteRow, 'id' | 'group'>,
  join: JoinRow,
): Promise<JoinRow> {
  const words = waitingFor(join);
  if (words.length === 0) return join;
  const role = words.includes('guardian') ? 'guardian' : 'organizer';
  const approval = ids.uuid();
  const ask = { id: approval, group: invite.group, invite: invite.id, person: join.person, role } as const;
  await insertAsk(tx, ask, new Date(clock.now()));
  return { ...join, approval };
}

/** Notes what became of the ask that is open for a wish, where it did not come through approvals. */
export async function closeAsk(
  { clock }: Pick<InvitesContext, 'clock'>,
  tx: Tx,
  { approval }: Pick<JoinRow, 'approval'>,
  wanted: 'approved' | 'declined' | 'cancelled',
  said: Said | null = null,
): Promise<void> {
  if (approval !== null) await endAsk(tx, approval, { wanted, said }, new Date(clock.now()));
}

/** For whose word the open ask of a wish is; null when there is none. */
export async function openRole(
  tx: Tx,
  { approval }: Pick<JoinRow, 'approval'>,
): Promise<AskRow['role'] | null> {
  const ask = approval === null ? null : await findAsk(tx, approval);
  return ask?.wanted === 'waiting' ? ask.role : null;
}

/** @param by uuid of the person whose word it was */
export function saidBy({ via, proof }: Caller, by: string, note: string): Said {
  return { by, note, via, proof };
}

type Telling = Pick<InvitesContext, 'approvals' | 'clock' | 'database' | 'log' | 'people'>;

const batch = 20;
/** Whoever waits for the answer is not kept longer by it. */
const withinMs = 3 * second;

/** Tells approvals what it is to know: of one invite right after a change, or of all. What fails is tried again later. */
export async function tellAsks(context: Telling, invite: string | null = null): Promise<void> {
  const { clock, database, log } = context;
  const due = await listDueAsks(database.db, invite, new Date(clock.now()), batch);
  for (const ask of due) {
    try {
      const told = await tell(context, ask);
      const next = new Date(clock.now() + laterMs(ask));
      await database.statement((tx) =>
        told ? noteTold(tx, ask, new Date(clock.now())) : noteNotTold(tx, ask, next),
      );
    } catch (err) {
      log.warn({ err, approval: ask.id }, 'approvals was not told of a wish to join; it is told later');
      const next = new Date(clock.now() + laterMs(ask));
      await database.statement((tx) => noteNotTold(tx, ask, next));
      // Where it is away it is so for all of them.
      if (isHearthError(err) && err.kind === 'unavailable') return;
    }
  }
}

/** Soon at first, then each time later. */
function laterMs({ attempts }: AskRow): number {
  return Math.min(5 * second * 2 ** Math.min(attempts, 10), hour);
}

/** False when there is nobody to be asked now. */
async function tell(context: Telling, ask: AskRow): Promise<boolean> {
  if (ask.wanted === 'waiting') return await askFor(context, ask);
  const { approvals } = context;
  const how = { caller: anyone, timeoutMs: withinMs };
  try {
    if (ask.said === null || ask.wanted === 'cancelled') await approvals.cancelJoin({ id: ask.id }, how);
    else await approvals.settleJoin({ ...ask.said, id: ask.id, approved: ask.wanted === 'approved' }, how);
  } catch (error) {
    // Nobody was ever asked.
    if (!isHearthError(error) || error.kind !== 'not_found') throw error;
  }
  return true;
}

async function askFor({ approvals, database, people }: Telling, ask: AskRow): Promise<boolean> {
  const { id, group, person, role } = ask;
  const [invite, join, facts] = await Promise.all([
    findInvite(database.db, ask.invite),
    findJoin(database.db, ask.invite, person),
    people.findOne(person),
  ]);
  if (invite === null || join === null || facts === null) return false;
  const to =
    role === 'guardian'
      ? facts.guardians
      : (await listMembers(database.db, group, 'organizer')).map((member) => member.person);
  if (to.length === 0) return false;
  const { note } = join;
  const expiresAt = timestampFromDate(invite.expires_at);
  const wish = { id, group, invite: invite.id, person, to, role, note, itemRef: invite.item_ref, expiresAt };
  await approvals.askJoin(wish, { caller: anyone, timeoutMs: withinMs });
  return true;
}
