import { badRequest, type HearthError } from '@hearth/errors';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Settings } from '../../groups/domain/settings.ts';

/** By themselves, through their guardian's word alone, or not at all. */
export type Joining = 'freely' | 'with_guardian' | 'refused';

/** What joining rests on; PersonFacts has it. */
export interface Joiner {
  ageBand: AgeBand;
  /** The age from which they may join by themselves where they live; 0 when not known. */
  consentAge: number;
}

/** How somebody may be in a group that has settled this. */
export function joining(settings: Pick<Settings, 'minors' | 'consent_age'>, joiner: Joiner): Joining {
  if (joiner.ageBand === AgeBand.ADULT) return 'freely';
  if (settings.minors === 'no') return 'refused';
  if (settings.minors === 'guardian') return 'with_guardian';
  // Where the law says 14 or 15, only those who are surely older count: nobody's birthday is known here.
  const age = Math.max(settings.consent_age, lawfulAge(joiner));
  const youngest = joiner.ageBand === AgeBand.TEEN16 ? 16 : joiner.ageBand === AgeBand.TEEN13 ? 13 : 0;
  return youngest >= age ? 'freely' : 'with_guardian';
}

/** The age of consent where somebody lives; 16, the highest there is, when it is not known. */
export function lawfulAge({ consentAge }: Pick<Joiner, 'consentAge'>): number {
  return consentAge === 0 ? 16 : consentAge;
}

/**
 * Why somebody cannot join, or null.
 *
 * @param guardianSaid whether one of their guardians gave their word for it
 */
export function joinRefusal(
  settings: Pick<Settings, 'minors' | 'consent_age'>,
  joiner: Joiner,
  guardianSaid: boolean,
): HearthError | null {
  const how = joining(settings, joiner);
  if (how === 'refused')
    return badRequest('this group is for adults; its organizers have not opened it to people under 18', {
      code: 'minors_not_allowed',
    });
  if (how === 'with_guardian' && !guardianSaid)
    return badRequest('a parent or guardian has to say yes first', { code: 'guardian_needed' });
  return null;
}
