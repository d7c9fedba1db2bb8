import { badRequest, forbidden, type HearthError, personNeeded } from '@hearth/errors';
import { ActsFor, CallerKind, type Operation } from '@hearth/proto/options';
import type { Caller } from './caller.ts';

type Declared = Pick<Operation, 'actsFor' | 'noGroupAi' | 'personOnly'>;

/**
 * Refuses a caller who acts for no one that the operation allows, or an AI where a person has to act. The gateway lists
 * tools by it, and every service checks it again before a handler runs.
 *
 * @throws forbidden for an AI where only a person counts (needs_person), for a group's AI, and for an AI without an
 * owner; bad_request for an app that names no one
 */
export function requireActsFor({ actsFor, noGroupAi, personOnly }: Declared, caller: Caller): void {
  requirePerson(personOnly, caller);
  const ofGroup = caller.group !== '';
  if (noGroupAi !== '' && ofGroup) throw forbidden(noGroupAi);
  if (actsFor === ActsFor.UNSPECIFIED) return;
  if (caller.kind === CallerKind.APP) throw namesNoOne(personOnly);
  const alone = caller.kind === CallerKind.AI && caller.person === '' && !ofGroup;
  if (actsFor === ActsFor.PERSON && alone) throw actsForNoOne();
}

/** @throws forbidden (needs_person) for an AI where only a person's own act counts */
export function requirePerson(personOnly: boolean, caller: Caller): void {
  if (personOnly && caller.kind === CallerKind.AI)
    throw personNeeded('a person must do this themselves; no AI can do it for them, so ask yours');
}

/** The error for an app that calls with only its key. @param personOnly whether it can't name an AI either */
export function namesNoOne(personOnly = false): HearthError {
  return badRequest(
    `say for whom you act: send the header Svc-Acting-For with the id of a person that you hold${personOnly ? '' : ', or of an AI of theirs'}`,
    { code: 'bad_field', field: 'Svc-Acting-For' },
  );
}

/** The error for an AI without an owner. */
export function actsForNoOne(): HearthError {
  return forbidden('this is for people and the AIs that act for them; nobody owns you yet');
}
