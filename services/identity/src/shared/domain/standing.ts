import { forbidden } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/**
 * The role in which a caller may act for a person: as themselves, as guardian, or as the app that holds them.
 */
export type ActingRole = 'self' | 'guardian' | 'holder';

/** The facts that the role depends on, as uuids. */
export interface Concerned {
  id: string;
  guardians: readonly string[];
  /** Empty if no app holds them. */
  app: string;
}

/**
 * The caller's role, or null. An app acting for a person counts as that person; an AI never acts for a person
 * here.
 */
export function standingOf(
  { kind, id }: Pick<Caller, 'kind' | 'id'>,
  { id: person, guardians, app }: Concerned,
): ActingRole | null {
  if (kind === CallerKind.APP) return app !== '' && id === app ? 'holder' : null;
  if (kind !== CallerKind.PERSON) return null;
  if (id === person) return 'self';
  return guardians.includes(id) ? 'guardian' : null;
}

/**
 * The caller's role toward a person they can see, which must be one of `allowed`.
 *
 * @throws forbidden(`words`) otherwise
 */
export function requireStanding(
  caller: Pick<Caller, 'kind' | 'id'>,
  person: Concerned,
  allowed: readonly ActingRole[],
  words: string,
): ActingRole {
  const standing = standingOf(caller, person);
  if (standing === null || !allowed.includes(standing)) throw forbidden(words);
  return standing;
}
