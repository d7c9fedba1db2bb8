import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import { isMinor } from '@hearth/people';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { handleChangesFrom } from '../../shared/domain/handle-choice.ts';
import { guardianshipsOver } from '../actions/guardianships.ts';
import type { Context } from '../context.ts';
import { findAppNames } from '../db/person-apps.ts';
import { callingPerson } from '../domain/callers.ts';

/** The calling person's own account, for its settings page. */
export const getAccount =
  (context: Context): UnaryHandler<typeof PeopleService.method.getAccount> =>
  async (_request, { caller }) => {
    const { clock, database, limits, people } = context;
    const [row] = await findPeopleByIds(database.db, [callingPerson(caller)]);
    if (row === undefined) throw notFound();
    const facts = people.toFacts(row);
    const [appNames, guardianships] = await Promise.all([
      findAppNames(database.db, row.app === null ? [] : [row.app]),
      guardianshipsOver(context, isMinor(facts) ? [row.id] : [], caller),
    ]);
    const changeDays = sizeOf(limits, 'handle_change_days');
    const changesFrom = handleChangesFrom(row.handleChangedAt, changeDays, nowDate(clock));
    return {
      facts,
      appName: appNames.get(facts.app) ?? '',
      ...(changesFrom !== null && { handleChangesFrom: timestampFromDate(changesFrom) }),
      guardians: guardianships.get(row.id) ?? [],
    };
  };
