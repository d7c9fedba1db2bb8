import { nowDate } from '@hearth/clock';
import { badField, forbidden } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type JoinRequest, listNeedingGuardian } from '../db/join-requests.ts';
import { toWaiting } from '../domain/to-proto.ts';

const mostChildren = 100;
const mostListed = 100;

/** The join requests of a guardian's children that wait for the guardian. */
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
    const rows = await listNeedingGuardian(database.db, children, nowDate(clock), mostListed);
    return {
      joins: rows
        .filter((row) => lacksGuardian(row, facts.get(row.person)))
        .map((row) => {
          const [join] = toWaiting(people, [{ ...row, guardian_at: null }], facts, caller);
          return { invite: printId('inv', row.invite), groupName: row.group_name, join };
        }),
    };
  };

/** The agreement of a former guardian does not count. */
function lacksGuardian({ guardian, guardian_at }: JoinRequest, child: PersonFacts | undefined): boolean {
  return guardian_at === null || guardian === null || child?.guardians.includes(guardian) !== true;
}
