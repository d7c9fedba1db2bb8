import { badField, forbidden } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { callerKinds } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';
import { type JoinRow, listNeedingGuardian } from '../db/join-requests.ts';
import { toWaiting } from '../domain/to-proto.ts';
import type { InvitesHandlers } from './index.ts';

const mostChildren = 100;
const mostWishes = 100;

/** The wishes of a guardian's children that wait for the guardian's word. */
export function listWaitingForGuardian(
  context: Pick<InvitesContext, 'clock' | 'database' | 'people'>,
): InvitesHandlers['listWaitingForGuardian'] {
  const { clock, database, people } = context;
  return async (request, { caller }) => {
    if (caller.kind !== callerKinds.PERSON)
      throw forbidden('only a guardian can see this', { needsPerson: true });
    if (request.children.length > mostChildren) throw badField('children', `must be at most ${mostChildren}`);
    const facts = await people.find(request.children);
    const guarded = [...facts.values()].filter(({ guardians }) => guardians.includes(caller.id));
    if (guarded.length === 0) return { joins: [] };
    const rows = await listNeedingGuardian(
      database.db,
      guarded.map(({ id }) => id),
      new Date(clock.now()),
      mostWishes,
    );
    return {
      joins: rows
        .filter((row) => isWordMissing(row, facts.get(row.person)))
        .map((row) => {
          const [join] = toWaiting(people, [{ ...row, guardian_at: null }], facts, caller);
          return { invite: printId('inv', row.invite), groupName: row.group_name, join };
        }),
    };
  };
}

/** The word of who guards them no more does not count. */
function isWordMissing({ guardian, guardian_at }: JoinRow, child: PersonFacts | undefined): boolean {
  return guardian_at === null || guardian === null || child?.guardians.includes(guardian) !== true;
}
