import { forbidden, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { actingPerson, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';

/** The person whose rules a caller means. */
export interface Subject {
  facts: PersonFacts;
  minor: boolean;
  /** The caller's person is their guardian. */
  guards: boolean;
}

/**
 * The person whose rules a caller means: their own person, or a child whom they guard.
 *
 * @throws not_found for every other person; forbidden for an AI without an owner
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

/** @throws forbidden (guardian_needed) for a child and for a caller who acts for them */
export function mayChange({ minor, guards }: Subject): void {
  if (!minor || guards) return;
  throw forbidden('the rules of a person under 18 are changed by their guardian alone', {
    code: 'guardian_needed',
    needsPerson: true,
  });
}
