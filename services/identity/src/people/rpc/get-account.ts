import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { nowDate } from '@hearth/clock';
import { forbidden, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { handleChangesFrom } from '../../shared/domain/handle-choice.ts';
import { listPasskeyDays } from '../../sign-in/db/passkeys.ts';
import { guardianshipsOver } from '../actions/guardianships.ts';
import type { PeopleContext } from '../context.ts';
import { findAppNames } from '../db/person-apps.ts';

/** The calling person's own account, for the page on which they look after it. */
export function getAccount(context: PeopleContext): UnaryHandler<typeof PeopleService.method.getAccount> {
  const { clock, database, days, lookups } = context;
  return async (_request, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only a person can see this', { needsPerson: true });
    const [row] = await findPeopleByIds(database.db, [caller.id]);
    if (row === undefined) throw notFound();
    const facts = lookups.toFacts(row);
    const [passkeys, appNames, guardianships] = await Promise.all([
      listPasskeyDays(database.db, row.id),
      findAppNames(database.db, row.app === null ? [] : [row.app]),
      guardianshipsOver(context, isMinor(facts) ? [row.id] : [], caller),
    ]);
    const changesFrom = handleChangesFrom(row.handleChangedAt, days.handleChange, nowDate(clock));
    return {
      facts,
      appName: appNames.get(facts.app) ?? '',
      ...(changesFrom !== null && { handleChangesFrom: timestampFromDate(changesFrom) }),
      passkeys: passkeys.map(({ createdAt, lastUsedOn }) => ({
        createdAt: timestampFromDate(createdAt),
        ...(lastUsedOn !== null && { lastUsed: lastUsedOn }),
      })),
      guardians: guardianships.get(row.id) ?? [],
    };
  };
}
