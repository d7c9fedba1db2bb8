import { forbidden, notFound } from '@hearth/errors';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';

/** As whom a caller may act for a person: as themselves, as their guardian, or as the app that holds them. */
export type Standing = 'self' | 'guardian' | 'holder';

/** What it rests on; uuids. */
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
 * The caller's standing, when it is one of `allowed`.
 *
 * @param visible whether the caller can see the person at all
 * @throws not_found for whom the caller cannot see; forbidden with `words` otherwise
 */
export function requireStanding(
  caller: Pick<Caller, 'kind' | 'id'>,
  person: Concerned,
  allowed: readonly Standing[],
  { visible, words }: { visible: boolean; words: string },
): Standing {
  const standing = standingOf(caller, person);
  if (standing !== null && allowed.includes(standing)) return standing;
  if (standing === null && !visible) throw notFound();
  throw forbidden(words);
}
