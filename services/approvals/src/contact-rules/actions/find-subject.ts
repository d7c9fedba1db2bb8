import { forbidden, notFound } from '@hearth/errors';
import { isMinor, type People } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller, callerKinds, personOf } from '@hearth/rpc';

/** Whose rules they are, and whether the caller sets them as a guardian. */
export interface Subject {
  facts: PersonFacts;
  minor: boolean;
  /** The caller's person is a guardian of theirs. */
  guards: boolean;
}

/**
 * The person whose rules a caller means: their own, or those of somebody under 18 whom they guard.
 *
 * @throws not_found for everybody else; forbidden for an AI that nobody owns
 */
export async function whoseRules(
  people: Pick<People, 'findOne' | 'resolve'>,
  reference: string | undefined,
  caller: Caller,
): Promise<Subject> {
  const own = actingPerson(caller);
  const facts = reference === undefined ? await people.findOne(own) : await people.resolve(reference, caller);
  if (facts === null) throw notFound();
  const minor = isMinor(facts);
  const guards = minor && facts.guardians.includes(own);
  if (facts.id !== own && !guards) throw notFound();
  return { facts, minor, guards };
}

/** @throws forbidden (guardian_needed) for somebody under 18 and for whoever acts for them */
export function mayChange({ minor, guards }: Subject): void {
  if (!minor || guards) return;
  throw forbidden('the rules of somebody under 18 are changed by their guardian alone', {
    code: 'guardian_needed',
    needsPerson: true,
  });
}

/**
 * uuid of the person who calls themselves.
 *
 * @throws forbidden (needs_person) for an AI; bad_request for an app that does not say for whom
 */
export function callingPerson(caller: Caller): string {
  const person = personOf(caller);
  if (caller.kind === callerKinds.AI) {
    throw forbidden('a person must do this themselves; no AI can do it for them, so ask yours', {
      code: 'needs_person',
      needsPerson: true,
    });
  }
  return person ?? actingPerson(caller);
}
