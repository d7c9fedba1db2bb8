import { parseReference } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import { addressOf } from '@hearth/people';
import type { Plan, PlansService } from '@hearth/proto/decisions/v1/plans';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import { goneName, goneStarter, starterOf } from '../../shared/domain/starter.ts';
import { findVisible } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { hasSpoken } from '../domain/plan.ts';
import { courseOf } from '../domain/state.ts';

export const listPlanPeople =
  (context: Context): UnaryHandler<typeof PlansService.method.listPlanPeople> =>
  async ({ id }, { caller }) => {
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return await peopleOf(context, copy.message, viewerIdOf(caller));
    const found = await findVisible(context, id, caller);
    const { row, people } = found;
    const viewer = viewerIdOf(caller);
    const others = [row.starter_person, row.hidden_from].filter((one) => one !== null);
    const facts = await context.people.everywhere.find([...people.map(({ person }) => person), ...others]);
    const seen = (person: string) => {
      const known = facts.get(person);
      return known === undefined ? null : context.people.show(known, caller);
    };
    const starter = row.starter_person === null ? null : seen(row.starter_person);
    // The address of a child's AI holds the child's handle.
    const address = row.starter_minor && starter?.shielded ? starter.address : row.starter_address;
    const gone = row.starter_person !== null && starter === null;
    return {
      people: people.map((one) => ({
        person: seen(one.person)?.id ?? printId('per', one.person),
        name: seen(one.person)?.name ?? goneName,
        asked: one.asked,
        answered: hasSpoken(courseOf(found), one),
        isCaller: one.person === viewer,
        spokenFor: speakersOf(one).includes(viewer),
        guarded: one.guardians.length > 0,
      })),
      group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
      proposer: gone ? goneStarter : { name: row.starter_name, address },
      ...(row.hidden_from !== null && { hiddenFrom: seen(row.hidden_from)?.name ?? goneName }),
      starter: starterOf(row) === viewer,
      organizer: people.some(({ person, organizer }) => organizer && person === viewer),
    };
  };

/** Those of a plan of another home; they are known by their addresses. */
async function peopleOf({ homeNames, peers, people }: Context, plan: Plan, viewer: string) {
  const { by, group: reference, hiddenFrom, options, people: asked, waitingOn } = plan;
  const [facts, { group }] = await Promise.all([
    people.findOne(viewer),
    peers.groups.findMembership({ group: reference, person: viewer, elsewhere: true }, { caller: anonymous }),
  ]);
  const own = facts === null ? '' : addressOf(facts);
  const spoke = (person: string) =>
    options.every(({ stances }) => stances.some((one) => one.person === person));
  const home = parseReference(reference, homeNames)?.home ?? '';
  return {
    people: asked.map(({ id: person, name }) => ({
      ...{ person, name, asked: true, guarded: false },
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
