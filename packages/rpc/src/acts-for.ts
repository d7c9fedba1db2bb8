import { badRequest, forbidden, type HearthError } from '@hearth/errors';
import { ActsFor, CallerKind, type Operation } from '@hearth/proto/options';
import type { Caller } from './caller.ts';

type Declared = Pick<Operation, 'actsFor' | 'noGroupAi' | 'personOnly'>;

/**
 * Refuses a caller who doesn't act for whom the operation is declared. The gateway lists tools by it, and every service
 * checks it again before a handler runs.
 *
 * @throws bad_request for an app that names no one; forbidden for the AI of a group, and for an AI without an owner
 */
export function requireActsFor({ actsFor, noGroupAi, personOnly }: Declared, caller: Caller): void {
  const ofGroup = caller.group !== '';
  if (noGroupAi !== '' && ofGroup) throw forbidden(noGroupAi);
  if (actsFor === ActsFor.UNSPECIFIED) return;
  if (caller.kind === CallerKind.APP) throw namesNoOne(personOnly);
  const alone = caller.kind === CallerKind.AI && caller.person === '' && !ofGroup;
  if (actsFor === ActsFor.PERSON && alone) throw actsForNoOne();
}

/** For an app that calls with its key alone. @param personOnly whether it can't name an AI either */
export function namesNoOne(personOnly = false): HearthError {
  return badRequest(
    `say for whom you act: send the header Svc-Acting-For with the id of a person that you hold${personOnly ? '' : ', or of an AI of theirs'}`,
    { code: 'bad_field', field: 'Svc-Acting-For' },
  );
}

/** For an AI without an owner. */
export function actsForNoOne(): HearthError {
  return forbidden('this is for people and the AIs that act for them; nobody owns you yet');
}
