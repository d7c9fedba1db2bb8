import { forbidden } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';

/** The role in which a caller may act for a person: as themselves, as their guardian, or as the app that holds them. */
export type Standing = 'self' | 'guardian' | 'holder';

/** The facts that it depends on; uuids. */
export interface Concerned {
  id: string;
  guardians: readonly string[];
  /** Empty when no app holds them. */
  app: string;
}

/** An app that acts for a person is that person; an AI never acts for a person here. */
export function standingOf(
  { kind, id }: Pick<Caller, 'kind' | 'id'>,
  { id: person, guardians, app }: Concerned,
): Standing | null {
  if (kind === CallerKind.APP) return app !== '' && id === app ? 'holder' : null;
  if (kind !== CallerKind.PERSON) return null;
  if (id === person) return 'self';
  return guardians.includes(id) ? 'guardian' : null;
}

/**
 * The caller's standing toward a person whom they can see, when it is one of `allowed`.
 *
 * @throws forbidden, with `words` for whoever has none of them
 */
export function requireStanding(
  caller: Pick<Caller, 'kind' | 'id'>,
  person: Concerned & { ageBand: AgeBand },
  allowed: readonly Standing[],
  words: string,
): Standing {
  const standing = standingOf(caller, person);
  if (standing === null || !allowed.includes(standing)) throw forbidden(words);
  if (standing === 'self' && isHeld(person)) {
    throw forbidden('this child has no guardian just now: nobody can act for them until the app names one', {
      code: 'guardian_needed',
    });
  }
  return standing;
}

/** Whether a child under 13 lost the last guardian: the account stands still until the app names one. */
function isHeld({ ageBand, guardians }: Pick<Concerned, 'guardians'> & { ageBand: AgeBand }): boolean {
  return ageBand === AgeBand.CHILD && guardians.length === 0;
}
