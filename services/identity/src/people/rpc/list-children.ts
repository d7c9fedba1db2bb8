import { forbidden } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { type NextBand, printBirthMonth } from '../../shared/domain/age-band.ts';
import { fromWord } from '../../shared/domain/words.ts';
import { guardianshipsOver } from '../actions/guardianships.ts';
import type { PeopleContext } from '../context.ts';
import { findAppNames } from '../db/person-apps.ts';

/** The children whom the calling person guards, with when the next age band of each comes. */
export function listChildren(context: PeopleContext): UnaryHandler<typeof PeopleService.method.listChildren> {
  const { ages, database, lookups } = context;
  return async (_request, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only a person can see this', { needsPerson: true });
    const ids = await listChildrenOf(database.db, caller.id);
    const rows = new Map((await findPeopleByIds(database.db, ids)).map((row) => [row.id, row]));
    const children = ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ row, facts: lookups.toFacts(row) }];
    });
    // Who has come of age has no guardian any more, also while the nightly work is late.
    const guarded = children.filter(({ facts }) => isMinor(facts));
    const [appNames, guardianships] = await Promise.all([
      findAppNames(
        database.db,
        guarded.flatMap(({ row }) => row.app ?? []),
      ),
      guardianshipsOver(
        context,
        guarded.map(({ row }) => row.id),
        caller,
      ),
    ]);
    return {
      children: guarded.map(({ row, facts }) => ({
        facts,
        person: lookups.show(facts, caller),
        ...shownNext(ages.nextBandOf(row)),
        guardians: guardianships.get(row.id) ?? [],
        appName: appNames.get(facts.app) ?? '',
      })),
    };
  };
}

function shownNext(next: NextBand | null) {
  if (next === null) return {};
  const { band, from } = next;
  return { nextBand: { ageBand: fromWord<AgeBand>(AgeBand, band), month: printBirthMonth(from) } };
}
