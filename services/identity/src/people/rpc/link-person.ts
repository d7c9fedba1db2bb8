import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { LinkStatus, type PeopleService, type PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { UnaryHandler } from '@hearth/rpc';
import { lockPerson } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { lockAppLink, upsertAppLink } from '../db/app-links.ts';
import { findAppMinors } from '../db/person-apps.ts';
import { stateOfLink } from '../domain/app-link.ts';
import { callingApp } from '../domain/callers.ts';
import { checkMinorsAllowed } from '../domain/guardianship.ts';

/**
 * Records an app's request to hold a person, who answers on the home's own page. A repeated request returns
 * its state.
 */
export const linkPerson =
  ({ clock, config, database, people }: Context): UnaryHandler<typeof PeopleService.method.linkPerson> =>
  async (request, { caller }) => {
    const app = callingApp(caller);
    const facts = await people.resolve(request.id, caller);
    if (facts === null) throw notFound();
    if (facts.app === app) return { status: LinkStatus.LINKED, person: people.show(facts, caller) };
    if (isMinor(facts)) checkMinorsAllowed(await findAppMinors(database.db, app));
    checkCanBeAnswered(facts);
    const state = await database.transaction(async (tx) => {
      if ((await lockPerson(tx, facts.id)) === null) throw notFound();
      const now = nowDate(clock);
      const present = stateOfLink(await lockAppLink(tx, app, facts.id), now);
      if (present === 'ask') await upsertAppLink(tx, app, facts.id, now);
      return present;
    });
    if (state === 'declined') return { status: LinkStatus.DECLINED };
    return { status: LinkStatus.WAITING, url: `${config.siteUrl}/me` };
  };

function checkCanBeAnswered({ ageBand, guardians }: PersonFacts): void {
  if (ageBand !== AgeBand.CHILD || guardians.length > 0) return;
  throw badRequest('id: this child has no guardian just now who could answer', { code: 'guardian_needed' });
}
