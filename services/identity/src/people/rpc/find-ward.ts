import type { PeopleService, PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { listLiveAis } from '../../shared/db/ais.ts';
import { requireStanding } from '../../shared/domain/standing.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { visiblePerson } from '../actions/visible-person.ts';
import type { Context } from '../context.ts';
import { requireMinor } from '../domain/guardianship.ts';

const mostAis = 100;

/** A child and their AIs, for the guardian. */
export const findWard =
  (context: Context): UnaryHandler<typeof PeopleService.method.findWard> =>
  async (request, call) => {
    const { database, people } = context;
    const child = await visiblePerson(context, request.id, call);
    mayView(call.caller, child);
    const ais = await listLiveAis(database.db, { owner: child.id }, null, mostAis);
    return {
      id: child.id,
      person: people.show(child, call.caller),
      ais: ais.map((ai) => toAi(ai)),
      aiIds: ais.map(({ id }) => id),
    };
  };

/** @throws forbidden for anyone but the guardian; bad_request for an adult */
function mayView(caller: Caller, child: PersonFacts): void {
  requireStanding(caller, child, ['guardian'], 'only a guardian of the child can see this');
  requireMinor(child);
}
