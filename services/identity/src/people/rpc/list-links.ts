import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { forbidden } from '@hearth/errors';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { standingOf } from '../../shared/domain/standing.ts';
import type { PeopleContext } from '../context.ts';
import { listWaitingLinks } from '../db/app-links.ts';

/** The apps that ask to hold the calling person, or a child whom they guard, and wait for the answer. */
export function listLinks(context: PeopleContext): UnaryHandler<typeof PeopleService.method.listLinks> {
  const { database, lookups } = context;
  return async (_request, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only a person can see this', { needsPerson: true });
    const people = [caller.id, ...(await listChildrenOf(database.db, caller.id))];
    const waiting = await listWaitingLinks(database.db, people);
    const links = await Promise.all(
      waiting.map(async ({ app, name, person, askedAt }) => {
        const facts = await lookups.find(person);
        if (facts === null || standingOf(caller, facts) === null) return [];
        if (person === caller.id && facts.guardians.length > 0) return [];
        return [{ app, name, askedAt: timestampFromDate(askedAt), person: lookups.show(facts, caller) }];
      }),
    );
    return { links: links.flat() };
  };
}
