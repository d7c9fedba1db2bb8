import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { DropPersonResponse } from '@hearth/proto/groups/v1/groups';
import { anyone } from '@hearth/rpc';
import { partWithAis } from '../../ais/actions/part-with-ais.ts';
import { deleteNotesOf } from '../../notes/db/notes.ts';
import { recordPersonDeleted } from '../../shared/actions/metrics.ts';
import { peopleAndCredentialsChanged } from '../../shared/actions/people.ts';
import { insertAppDeletions } from '../../shared/db/app-deletions.ts';
import { deleteGuardianshipsBy, deleteGuardianshipsOver } from '../../shared/db/guardianships.ts';
import { clearPerson, lockChildrenOf, lockPerson, type PersonRow } from '../../shared/db/people.ts';
import { deleteSessionsOf } from '../../shared/db/sessions.ts';
import type { PeopleContext } from '../context.ts';
import { deleteRecordsOf, deleteSignInsOf } from '../db/erase-person.ts';
import { endAddressesOf } from '../db/person-addresses.ts';
import { listAiIdsOf } from '../db/person-ais.ts';
import { canBeTakenBack, deletedName, heir } from '../domain/deletion.ts';
import { accountDeleted } from '../domain/events.ts';
import { appsConcerned, changePerson } from './change-person.ts';

/** Taking somebody out of many groups takes its time. */
const dropTimeoutMs = 30_000;

/** What changed for others: whose facts and credentials are to be looked up again. */
interface Touched {
  people: string[];
  /** uuids of AIs and sessions. */
  credentials: string[];
}

/**
 * Ends an account whose time has come: first out of every group, then all the rest at once. Each step can be done again,
 * so that what a crash cut short is done from the beginning, and nothing twice. False when there is nothing to end (any more).
 */
export async function endAccount(context: PeopleContext, id: string): Promise<boolean> {
  const { bus, database, groups, outbox } = context;
  const left = await groups.dropPerson({ person: id }, { caller: anyone, timeoutMs: dropTimeoutMs });
  const ended = await database.transaction((tx) => end(context, tx, id, left));
  if (ended === null) return false;
  outbox.committed(ended.rows);
  peopleAndCredentialsChanged(bus, ended.touched.people, ended.touched.credentials);
  recordPersonDeleted({ minor: ended.minor });
  return true;
}

async function end(context: PeopleContext, tx: Tx, id: string, left: DropPersonResponse) {
  const { clock, lookups, outbox } = context;
  const now = nowDate(clock);
  const person = await lockPerson(tx, id);
  if (person === null || person.deletesAt === null || canBeTakenBack(person.deletesAt, now)) return null;
  const own = person.app === null ? [] : [person.app];
  const ais = await partWithAis(context, tx, id, { apps: own });
  await outbox.announce(tx, ais.rows);
  const family = await handOver(context, tx, id);
  const apps = new Set([...(await appsConcerned(tx, person)), ...family.apps, ...left.apps]);
  const minor = isMinor(lookups.toFacts(person));
  const sessions = await erase(tx, person, now);
  const announced = accountDeleted(
    outbox,
    {
      deleted: [id],
      handovers: family.handovers,
      organizers: left.organizers.map(({ group, person: follower }) => ({ group, person: follower })),
      archived: left.archived,
      apps: [...apps],
      people: [{ id, minor, app: person.app ?? '' }],
    },
    family.children,
  );
  await outbox.announce(tx, [announced]);
  await insertAppDeletions(tx, announced.id, [...apps], now);
  const touched: Touched = {
    people: [id, ...family.children],
    credentials: [...ais.ais, ...sessions, ...(await listAiIdsOf(tx, family.children))],
  };
  return {
    rows: [...ais.rows, ...family.rows, announced],
    touched,
    minor,
  };
}

/** The children of the person get their second guardian alone, or are held without one. */
async function handOver(context: PeopleContext, tx: Tx, guardian: string) {
  const { lookups } = context;
  const children = await lockChildrenOf(tx, guardian);
  await deleteGuardianshipsBy(tx, guardian);
  const rows: OutboxRow[] = [];
  const handovers: { child: string; guardian: string }[] = [];
  const apps: string[] = [];
  for (const child of children) {
    if (!isMinor(lookups.toFacts(child))) continue;
    const next = heir(child.guardians, guardian);
    const guardians = child.guardians.filter((each) => each !== guardian);
    // Nobody is left who could let AIs act for the child.
    const withdrawn = next === null && child.aiShare;
    const changed = ['guardian', ...(withdrawn ? ['ai_share'] : [])];
    const change = { guardians, ...(withdrawn && { aiShare: false }) };
    const done = await changePerson(context, tx, child, change, { changed, by: undefined });
    rows.push(...done.rows);
    handovers.push({ child: child.id, guardian: next ?? '' });
    apps.push(...(await appsConcerned(tx, child)));
  }
  return { rows, handovers, apps, children: handovers.map(({ child }) => child) };
}

/** Removes what says who the person was; uuids of the sessions that end. */
async function erase(tx: Tx, { id }: PersonRow, now: Date): Promise<string[]> {
  const sessions = await deleteSessionsOf(tx, id);
  await deleteGuardianshipsOver(tx, id);
  await deleteSignInsOf(tx, id);
  await deleteNotesOf(tx, id);
  await deleteRecordsOf(tx, id);
  await endAddressesOf(tx, id, now);
  await clearPerson(tx, id, deletedName, now);
  return sessions;
}
