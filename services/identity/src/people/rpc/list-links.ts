import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { standingOf } from '../../shared/domain/standing.ts';
import type { Context } from '../context.ts';
import { listWaitingLinks } from '../db/app-links.ts';
import { callingPerson } from '../domain/callers.ts';

/** Pending requests by apps to hold the calling person or a ward. */
export const listLinks =
  ({ database, people }: Context): UnaryHandler<typeof PeopleService.method.listLinks> =>
  async (_request, { caller }) => {
    const viewer = callingPerson(caller);
    const asked = [viewer, ...(await listChildrenOf(database.db, viewer))];
    const waiting = await listWaitingLinks(database.db, asked);
    const links = await Promise.all(
      waiting.map(async ({ app, name, person, askedAt }) => {
        const facts = await people.find(person);
        if (facts === null || standingOf(caller, facts) === null) return [];
        if (person === viewer && facts.guardians.length > 0) return [];
        return [{ app, name, askedAt: timestampFromDate(askedAt), person: people.show(facts, caller) }];
      }),
    );
    return { links: links.flat() };
  };
