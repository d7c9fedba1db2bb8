import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { DropPersonResponse } from '@hearth/proto/groups/v1/groups';
import { anonymous } from '@hearth/rpc';
import { partWithAis } from '../../ais/module.ts';
import { recordPersonDeleted } from '../../shared/actions/metrics.ts';
import { insertAppDeletions } from '../../shared/db/app-deletions.ts';
import { deleteGuardianshipsBy, deleteGuardianshipsOver } from '../../shared/db/guardianships.ts';
import { clearPerson, lockChildrenOf, lockPerson, updateDeletesAt } from '../../shared/db/people.ts';
import { isUnreachable } from '../../shared/db/reachable.ts';
import { deleteSessionsOf } from '../../shared/db/sessions.ts';
import type { Context } from '../context.ts';
import { clearAisOf, deleteRecordsOf, deleteSignInsOf } from '../db/erase-person.ts';
import { endAddressesOf } from '../db/person-addresses.ts';
import { canBeTakenBack, deletedName, heir } from '../domain/deletion.ts';
import { accountDeleted } from '../domain/events.ts';
import { appsConcerned, changePerson } from './change-person.ts';

/** Leaving many groups takes time. */
const dropTimeoutMs = 30_000;

/**
 * Ends an account whose deletion is due: leaves every group first, then erases everything else in one
 * transaction. Idempotent, so a run cut short by a crash is simply repeated. False if there is nothing to
 * end.
 */
export async function endAccount(context: Context, id: string): Promise<boolean> {
  const { commit, groups } = context;
  const left = await groups.dropPerson({ person: id }, { caller: anonymous, timeoutMs: dropTimeoutMs });
  const ended = await commit((tx) => end(context, tx, id, left));
  if (ended !== null) recordPersonDeleted(ended);
  return ended !== null;
}

async function end(
  context: Context,
  tx: UnitOfWork,
  id: string,
  left: DropPersonResponse,
): Promise<{ minor: boolean } | null> {
  const { clock, ids, people } = context;
  const now = nowDate(clock);
  const person = await lockPerson(tx, id);
  if (person === null || person.deletesAt === null || canBeTakenBack(person.deletesAt, now)) return null;
  await partWithAis(context, tx, id, { apps: person.app === null ? [] : [person.app] });
  const family = await handOver(context, tx, id, now);
  const apps = [...new Set([...(await appsConcerned(tx, person)), ...family.apps, ...left.apps])];
  const minor = isMinor(people.toFacts(person));
  tx.signal('people', id);
  tx.signal('credentials', id, ...(await erase(tx, id, now)));
  const event = ids.uuid();
  tx.announce(
    accountDeleted(
      event,
      {
        deleted: [id],
        handovers: family.handovers,
        organizers: left.organizers.map(({ group, person: follower }) => ({ group, person: follower })),
        archived: left.archived,
        apps,
        people: [{ id, minor, app: person.app ?? '' }],
      },
      family.handovers.map(({ child }) => child),
    ),
  );
  await insertAppDeletions(tx, event, apps, now);
  return { minor };
}

/**
 * Leaves the person's children to their second guardian, or without one. A child's account that no one can
 * use then ends too.
 */
async function handOver(context: Context, tx: UnitOfWork, guardian: string, now: Date) {
  const { people } = context;
  const children = await lockChildrenOf(tx, guardian);
  await deleteGuardianshipsBy(tx, guardian);
  const handovers: { child: string; guardian: string }[] = [];
  const apps: string[] = [];
  for (const child of children) {
    const next = heir(child.guardians, guardian);
    if (next === null && (await isUnreachable(tx, child.id))) await updateDeletesAt(tx, child.id, now);
    if (!isMinor(people.toFacts(child))) continue;
    const guardians = child.guardians.filter((each) => each !== guardian);
    // No guardian is left to let AIs act for the child.
    const withdrawn = next === null && child.aiShare;
    const changed = ['guardian', ...(withdrawn ? ['ai_share'] : [])];
    const change = { guardians, ...(withdrawn && { aiShare: false }) };
    await changePerson(context, tx, child, change, { changed, by: undefined });
    handovers.push({ child: child.id, guardian: next ?? '' });
    apps.push(...(await appsConcerned(tx, child)));
  }
  return { handovers, apps };
}

/** Erases what identifies the person. Returns the uuids of the sessions that ended. */
async function erase(tx: Tx, id: string, now: Date): Promise<string[]> {
  const sessions = await deleteSessionsOf(tx, id);
  await deleteGuardianshipsOver(tx, id);
  await deleteSignInsOf(tx, id);
  await deleteRecordsOf(tx, id);
  await endAddressesOf(tx, id, now);
  await clearAisOf(tx, id, deletedName);
  await clearPerson(tx, id, deletedName, now);
  return sessions;
}
