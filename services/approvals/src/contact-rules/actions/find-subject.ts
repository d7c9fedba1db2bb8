import { forbidden, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** The person whose rules a call concerns. */
export interface Subject {
  facts: PersonFacts;
  minor: boolean;
  /** Whether the caller's person is their guardian. */
  guards: boolean;
}

/**
 * The person whose rules a call concerns: the caller's own person, or a child they are guardian of.
 *
 * @throws not_found for anyone else; forbidden for an AI without an owner
 */
export async function findSubject(
  { people }: Pick<Context, 'people'>,
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

/** @throws forbidden (guardian_needed) for a child, or a caller who acts for the child */
export function mayChange({ minor, guards }: Subject): void {
  if (!minor || guards) return;
  throw forbidden('the rules of a person under 18 are changed by their guardian alone', {
    code: 'guardian_needed',
    needsPerson: true,
  });
}
