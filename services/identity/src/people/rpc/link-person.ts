import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { LinkStatus, type PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { UnaryHandler } from '@hearth/rpc';
import { lockPerson } from '../../shared/db/people.ts';
import type { PeopleContext } from '../context.ts';
import { lockAppLink, upsertAppLink } from '../db/app-links.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { stateOfLink } from '../domain/app-link.ts';
import { checkMinorsAllowed } from '../domain/guardianship.ts';
import { callingApp } from './create-person.ts';

/** An app asks to hold somebody; they answer on the home's own page. Asked again, it answers how it stands. */
export function linkPerson(context: PeopleContext): UnaryHandler<typeof PeopleService.method.linkPerson> {
  const { clock, database, lookups, siteUrl } = context;
  return async (request, { caller }) => {
    const app = callingApp(caller);
    const facts = await lookups.resolve(request.id, caller);
    if (facts === null) throw notFound();
    if (facts.app === app) return { status: LinkStatus.LINKED, person: lookups.show(facts, caller) };
    if (isMinor(facts)) checkMinorsAllowed(await findAppMinors(database.db, app));
    checkSomebodyCanAnswer(facts);
    const state = await database.transaction(async (tx) => {
      if ((await lockPerson(tx, facts.id)) === null) throw notFound();
      const now = nowDate(clock);
      const present = stateOfLink(await lockAppLink(tx, app, facts.id), now);
      if (present === 'ask') await upsertAppLink(tx, app, facts.id, now);
      return present;
    });
    if (state === 'declined') return { status: LinkStatus.DECLINED };
    return { status: LinkStatus.WAITING, url: `${siteUrl}/me` };
  };
}

function checkSomebodyCanAnswer({ ageBand, guardians }: PersonFacts): void {
  if (ageBand !== AgeBand.CHILD || guardians.length > 0) return;
  throw badRequest('id: this child has no guardian just now who could answer', { code: 'guardian_needed' });
}
