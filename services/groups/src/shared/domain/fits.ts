import { badRequest, type HearthError } from '@hearth/errors';
import { AgeBand } from '@hearth/proto/identity/v1/resources';

/** A group's rules about members under 18, as stored. */
export interface AgeRules {
  minors: 'no' | 'guardian' | 'teens';
  /** 13 or 16; used only with minors=teens. */
  consent_age: number;
}

/** Whether a person may join alone, with a guardian's agreement, or not at all. */
export type Joining = 'freely' | 'with_guardian' | 'refused';

/** The facts that joining depends on; PersonFacts has them. */
export interface Joiner {
  ageBand: AgeBand;
  /** The age of consent where they live; 0 if unknown. */
  consentAge: number;
  /** uuids */
  guardians: readonly string[];
}

/** How a person may join a group with these rules. */
export function joining(settings: AgeRules, joiner: Omit<Joiner, 'guardians'>): Joining {
  if (joiner.ageBand === AgeBand.ADULT) return 'freely';
  if (settings.minors === 'no') return 'refused';
  if (settings.minors === 'guardian') return 'with_guardian';
  // Birthdays are unknown here, so where the law says 14 or 15, only the older band is certain.
  const age = Math.max(settings.consent_age, lawfulAge(joiner));
  const youngest = joiner.ageBand === AgeBand.TEEN16 ? 16 : joiner.ageBand === AgeBand.TEEN13 ? 13 : 0;
  return youngest >= age ? 'freely' : 'with_guardian';
}

/** The age of consent where the person lives; 16, the highest anywhere, if unknown. */
export function lawfulAge({ consentAge }: Pick<Joiner, 'consentAge'>): number {
  return consentAge === 0 ? 16 : consentAge;
}

/** Why a person cannot join; null if they can. @param guardianSaid whether one of their guardians agreed */
export function joinRefusal(settings: AgeRules, joiner: Joiner, guardianSaid: boolean): HearthError | null {
  const how = joining(settings, joiner);
  if (how === 'refused')
    return badRequest('this group is for adults; its organizers have not opened it to people under 18', {
      code: 'minors_not_allowed',
    });
  if (how !== 'with_guardian' || guardianSaid) return null;
  return badRequest(joiner.guardians.length > 0 ? wordNeeded : noGuardian(settings, joiner), {
    code: 'guardian_needed',
  });
}

const wordNeeded = 'a parent or guardian has to say yes first';

/**
 * Tells a joiner without a guardian how to get one. A teenager whose guardianships have ended can't name one;
 * the app that holds their account can.
 */
function noGuardian({ minors }: AgeRules, { ageBand }: Joiner): string {
  const from = minors === 'teens' ? 16 : 18;
  const later = ageBand === AgeBand.CHILD ? '' : `, or join once you are ${from}`;
  return `${wordNeeded}, and this account has no guardian. Ask the app that holds the account to name one${later}`;
}
