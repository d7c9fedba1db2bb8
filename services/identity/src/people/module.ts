import { hour, minute, second } from '@hearth/clock';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import { nextDeletion, nextRestoredPerson } from '../shared/db/people.ts';
import type { Context } from './context.ts';
import { deleteAccounts } from './jobs/delete-accounts.ts';
import { endSuspensions } from './jobs/end-suspensions.ts';
import { nightlyAgeBands } from './jobs/move-age-bands.ts';

export { changePerson } from './actions/change-person.ts';
export { makePerson, type Newcomer } from './actions/make-person.ts';

type Given = IdentityParts & Pick<Context, 'claimGuest'>;

export function createPeopleContext(host: Host, given: Given): Context {
  return {
    ...host,
    ...given,
    idempotency: host.idempotency(),
  };
}

/** People, their accounts and guardians, and the end of both. */
export async function startPeople(host: Host, given: Given): Promise<void> {
  const context = createPeopleContext(host, given);
  host.sealed({ table: 'people', column: 'birth', context: "'person.birth:' || id" });
  await host.serveRpcs(PeopleService, import.meta.url, context);
  host.every('move-age-bands', hour, nightlyAgeBands(context));
  host.whenDue('end-suspensions-of-people', minute, { sql: nextRestoredPerson }, () =>
    endSuspensions(context),
  );
  host.whenDue('delete-accounts', 10 * second, { sql: nextDeletion }, () =>
    deleteAccounts(context, host.log),
  );
}
