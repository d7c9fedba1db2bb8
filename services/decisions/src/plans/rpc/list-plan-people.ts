import { parseReference } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import { addressOf } from '@hearth/people';
import type { Plan, PlansService } from '@hearth/proto/decisions/v1/plans';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { awaited, hasSpoken, type Planner } from '../domain/plan.ts';
import { courseOf } from '../domain/state.ts';

export const listPlanPeople =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlanPeople> =>
  async ({ id }, { caller }) => {
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return await peopleOf(context, copy.message, viewerIdOf(caller));
    const found = await course.findVisible(context, id, caller);
    const { row } = found;
    const saidBy = (planner: Planner) => ({
      answered: hasSpoken(row, planner),
      picked: planner.choice === null ? null : String(planner.choice),
    });
    const waits = awaited(courseOf(found), row.starter_person);
    const { shown, proposer } = await course.people(context, found, caller, saidBy, waits);
    return {
      ...shown,
      group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
      proposer: { name: proposer.name, address: proposer.address },
    };
  };

/** The people named in a remote plan's state, identified by address. */
async function peopleOf({ homeNames, peers, people }: Context, plan: Plan, viewer: string) {
  const { by, group: reference, hiddenFrom, options, people: asked, waitingOn } = plan;
  const [facts, { group }] = await Promise.all([
    people.findOne(viewer),
    peers.groups.findMembership({ group: reference, person: viewer, elsewhere: true }, { caller: anonymous }),
  ]);
  const own = facts === null ? '' : addressOf(facts);
  const spoke = (person: string) =>
    options.every(({ stances }) => stances.some((stance) => stance.person === person));
  const home = parseReference(reference, homeNames)?.home ?? '';
  return {
    people: asked.map(({ id: person, name }) => ({
      ...{ person, name, asked: true, guarded: false },
      waiting: waitingOn.includes(person),
      answered: !waitingOn.includes(person) || spoke(person),
      ...{ isCaller: person === own, spokenFor: person === own },
    })),
    group: {
      id: reference,
      name: group?.name ?? home,
      address: group === undefined ? '' : `&${group.handle}`,
    },
    proposer: { name: asked.find(({ id }) => id === by)?.name ?? by, address: by },
    ...(hiddenFrom !== undefined && { hiddenFrom }),
    starter: false,
    organizer: false,
  };
}
