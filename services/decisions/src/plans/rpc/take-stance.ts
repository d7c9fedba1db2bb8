import { badField, personNeeded } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { addressOf } from '@hearth/people';
import { PlansService, StanceKind, type TakeStanceRequest } from '@hearth/proto/decisions/v1/plans';
import { Scope } from '@hearth/proto/options';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { stanceKinds } from '../domain/enum-names.ts';
import { planPath } from '../domain/link.ts';
import { askedOf, type Stance, type StanceKind as StanceName } from '../domain/plan.ts';

const { takeStance: method } = PlansService.method;

/** Takes stances for the caller's person and the children they guard. */
export const takeStance =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) => {
    const approves = request.stances.some(({ stance }) => stance === StanceKind.APPROVE);
    const requireYes = (id: string) =>
      approves && requireApproves(caller, `${context.config.siteUrl}${planPath(id)}`);
    return await course.speak(
      context,
      { method, request, caller },
      async (found) => {
        const stances = await readStances(context, request, caller);
        const theirs = await speakingFor(context, askedOf(found), caller, request.for);
        const id = printId('pln', found.row.id);
        requireYes(id);
        const people = approves
          ? course.tapping(context, theirs, caller, id)
          : theirs.map(({ person }) => person);
        return { act: { kind: 'stance', people, stances, replace: request.replace ?? true } };
      },
      ({ reference }) => requireYes(reference),
    );
  };

/** @throws bad_field for a duplicate option */
async function readStances(
  { clock, people }: Context,
  request: TakeStanceRequest,
  caller: Caller,
): Promise<Stance[]> {
  const byAi = caller.kind === callerKinds.AI;
  const person = byAi ? null : await people.everywhere.findOne(actingPerson(caller));
  return request.stances.map(({ option, stance, note = '' }, index) => {
    if (request.stances.findIndex((one) => one.option === option) < index)
      throw badField(`stances[${index}].option`, 'is there twice');
    return {
      option,
      stance: stanceKinds.nameOf(stance) as StanceName,
      note,
      by: byAi ? caller.id : actingPerson(caller),
      as: byAi ? 'ai' : 'person',
      address: byAi ? caller.address : person === null ? '' : addressOf(person),
      at: clock.now(),
    };
  });
}

/** @throws forbidden (needs_person) for an AI without the approve permission */
function requireApproves(caller: Caller, link: string): void {
  if (caller.kind !== callerKinds.AI || caller.scopes.includes(Scope.APPROVE)) return;
  throw personNeeded(
    `approve is your person's own yes: say works, and have them approve it at ${link}; or they give you the permission approve`,
  );
}
