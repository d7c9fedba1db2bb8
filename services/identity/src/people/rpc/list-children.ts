import { enumNames } from '@hearth/enum-names';
import { isMinor } from '@hearth/people';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBandSchema } from '@hearth/proto/identity/v1/resources';
import type { UnaryHandler } from '@hearth/rpc';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { listUnreachable } from '../../shared/db/reachable.ts';
import { type NextBand, printBirthMonth } from '../../shared/domain/age-band.ts';
import { guardianshipsOver } from '../actions/guardianships.ts';
import type { Context } from '../context.ts';
import { findAppNames } from '../db/person-apps.ts';
import { callingPerson } from '../domain/callers.ts';

/**
 * The calling person's wards with the date of their next age band, and former wards of 18 who still need a
 * sign-in.
 */
export const listChildren =
  (context: Context): UnaryHandler<typeof PeopleService.method.listChildren> =>
  async (_request, { caller }) => {
    const { ages, database, people } = context;
    const ids = await listChildrenOf(database.db, callingPerson(caller));
    const rows = new Map((await findPeopleByIds(database.db, ids)).map((row) => [row.id, row]));
    const children = ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ row, facts: people.toFacts(row) }];
    });
    // Guardianships end at 18, even if the nightly job is late.
    const guarded = children.filter(({ facts }) => isMinor(facts));
    const guardedIds = guarded.map(({ row }) => row.id);
    const apps = guarded.flatMap(({ row }) => row.app ?? []);
    const [appNames, guardianships] = await Promise.all([
      findAppNames(database.db, apps),
      guardianshipsOver(context, guardedIds, caller),
    ]);
    const grown = await listUnreachable(
      database.db,
      children.filter(({ facts }) => !isMinor(facts)).map(({ row }) => row.id),
    );
    return {
      grown: grown.map((id) => people.show(people.toFacts(rows.get(id)!), caller)),
      children: guarded.map(({ row, facts }) => ({
        facts,
        person: people.show(facts, caller),
        ...shownNext(ages.nextBandOf(row)),
        guardians: guardianships.get(row.id) ?? [],
        appName: appNames.get(facts.app) ?? '',
      })),
    };
  };

function shownNext(next: NextBand | null) {
  if (next === null) return {};
  const { band, from } = next;
  return { nextBand: { ageBand: enumNames(AgeBandSchema).valueOf(band), month: printBirthMonth(from) } };
}
