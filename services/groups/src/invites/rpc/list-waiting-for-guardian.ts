import { nowDate } from '@hearth/clock';
import { badField, forbidden } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listWaitingOf, type NamedJoinRequest } from '../db/join-requests.ts';
import { withApproversNow } from '../domain/approvers-now.ts';
import { waitingFor } from '../domain/join-state.ts';
import { toWaiting } from '../domain/to-proto.ts';

const mostChildren = 100;
const mostListed = 100;

/** Lists join requests of the caller's children that wait for the caller's agreement. */
export const listWaitingForGuardian =
  ({ clock, database, people }: Context): UnaryHandler<typeof InvitesService.method.listWaitingForGuardian> =>
  async (request, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only a guardian can see this', { needsPerson: true });
    if (request.children.length > mostChildren) throw badField('children', `must be at most ${mostChildren}`);
    const facts = await people.find(request.children);
    const guarded = [...facts.values()].filter(({ guardians }) => guardians.includes(caller.id));
    if (guarded.length === 0) return { joins: [] };
    const children = guarded.map(({ id }) => id);
    const rows = await listWaitingOf(database.db, children, nowDate(clock), mostListed);
    return {
      joins: rows
        .filter((row) => needsGuardian(row, facts.get(row.person)))
        .map((row) => {
          const [join] = toWaiting(people, row, [row], facts, caller);
          return { invite: printId('inv', row.invite), groupName: row.group_name, join };
        }),
    };
  };

function needsGuardian(row: NamedJoinRequest, child: PersonFacts | undefined): boolean {
  return child !== undefined && waitingFor(withApproversNow(row, row, child)).includes('guardian');
}
