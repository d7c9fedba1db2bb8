import { badRequest, type HearthError } from '@hearth/errors';
import { AgeBand } from '@hearth/proto/identity/v1/resources';

/** The rules of a group about members under 18, as its row has them. */
export interface AgeRules {
  minors: 'no' | 'guardian' | 'teens';
  /** 13 or 16; of effect with minors=teens. */
  consent_age: number;
}

/** Alone, only with a guardian's agreement, or not at all. */
export type Joining = 'freely' | 'with_guardian' | 'refused';

/** The facts on which joining depends; PersonFacts has them. */
export interface Joiner {
  ageBand: AgeBand;
  /** The age from which they may join by themselves where they live; 0 when not known. */
  consentAge: number;
  /** uuids */
  guardians: readonly string[];
}

/** The way in which a person may join a group with these rules. */
export function joining(settings: AgeRules, joiner: Omit<Joiner, 'guardians'>): Joining {
  if (joiner.ageBand === AgeBand.ADULT) return 'freely';
  if (settings.minors === 'no') return 'refused';
  if (settings.minors === 'guardian') return 'with_guardian';
  // Where the law says 14 or 15, only the older band is sure: no birthday is known here.
  const age = Math.max(settings.consent_age, lawfulAge(joiner));
  const youngest = joiner.ageBand === AgeBand.TEEN16 ? 16 : joiner.ageBand === AgeBand.TEEN13 ? 13 : 0;
  return youngest >= age ? 'freely' : 'with_guardian';
}

/** The age of consent where the person lives; 16, the highest there is, when it is not known. */
export function lawfulAge({ consentAge }: Pick<Joiner, 'consentAge'>): number {
  return consentAge === 0 ? 16 : consentAge;
}

/**
 * The reason why a person cannot join, or null.
 *
 * @param guardianSaid whether one of their guardians agreed
 */
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

/** A teenager whose guardianships have ended can name no guardian: the app that holds their account can. */
function noGuardian({ minors }: AgeRules, { ageBand }: Joiner): string {
  const from = minors === 'teens' ? 16 : 18;
  const later = ageBand === AgeBand.CHILD ? '' : `, or join once you are ${from}`;
  return `${wordNeeded}, and this account has no guardian. Ask the app that holds the account to name one${later}`;
}
