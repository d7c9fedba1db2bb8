import { badField, personNeeded } from '@hearth/errors';
import { addressOf } from '@hearth/people';
import { PlansService, StanceKind, type TakeStanceRequest } from '@hearth/proto/decisions/v1/plans';
import { Scope } from '@hearth/proto/options';
import { actingPerson, type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { speakingFor, tapping } from '../../shared/actions/speaking.ts';
import { findVisible } from '../actions/find-visible.ts';
import { onCopy } from '../actions/show-copies.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { stanceKinds } from '../domain/enum-names.ts';
import { planPath } from '../domain/link.ts';
import { askedOf, type Stance, type StanceKind as StanceName } from '../domain/plan.ts';

/** Says what works for the caller's person and the children whom they guard. */
export const takeStance =
  (context: Context): UnaryHandler<typeof PlansService.method.takeStance> =>
  async (request, { caller }) => {
    const { acts, config, plans } = context;
    const copy = await findElsewhere(context.copies, request.id, caller);
    const approves = request.stances.some(({ stance }) => stance === StanceKind.APPROVE);
    if (copy !== null && approves) requireApproves(caller, `${config.siteUrl}/p/${copy.reference}`);
    if (copy !== null) return await onCopy(context, copy, PlansService.method.takeStance, request, caller);
    const found = await findVisible(context, request.id, caller);
    const link = `${config.siteUrl}${planPath(found.row.id)}`;
    const stances = await readStances(context, request, caller);
    const theirs = await speakingFor(context, askedOf(found), caller, request.for);
    if (approves) requireApproves(caller, link);
    const speaking = approves ? tapping(theirs, caller, { childTaps: config.childTaps, link }) : theirs;
    const state = await plans.actOn(found, () => ({
      act: {
        kind: 'stance',
        people: speaking.map(({ person }) => person),
        stances,
        replace: request.replace ?? true,
      },
      by: caller,
      said: acts.said(caller),
    }));
    return await showPlan(context, await context.signing.now(state, caller), caller);
  };

/** @throws bad_field for an option that is named twice */
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

/** @throws forbidden (needs_person) for an AI without the permission approve */
function requireApproves(caller: Caller, link: string): void {
  if (caller.kind !== callerKinds.AI || caller.scopes.includes(Scope.APPROVE)) return;
  throw personNeeded(
    `approve is your person's own yes: say works, and have them approve it at ${link}; or they give you the permission approve`,
  );
}
