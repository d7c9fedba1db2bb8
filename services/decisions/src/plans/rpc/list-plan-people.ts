import { printId } from '@hearth/ids';
import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
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
