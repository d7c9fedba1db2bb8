/** A person of a decision or a plan. */
export interface Member {
  /** uuid */
  person: string;
  /** uuids of those who speak in the place of a person under 18; empty: they speak themselves. */
  guardians: readonly string[];
  /** Whether AIs may act for a person under 18. */
  aiShare: boolean;
  organizer: boolean;
  /** False of an organizer who is not asked. */
  asked: boolean;
}

/** uuids of those who speak for a member. */
export function speakersOf({ person, guardians }: Pick<Member, 'person' | 'guardians'>): readonly string[] {
  return guardians.length > 0 ? guardians : [person];
}
