/** The person or AI that started a decision or plan, as stored in its row. */
export interface Starter {
  starter_kind: 'ai' | 'person';
  /** uuid */
  starter: string;
  /** uuid of the person, or of the AI's owner; null for the group AI. */
  starter_person: string | null;
  starter_app: string | null;
  starter_address: string;
  starter_name: string;
  starter_minor: boolean;
}

/** uuid of the person who started it, or of the owner of the AI that did; the group AI's own uuid. */
export function starterOf({ starter, starter_person }: Starter): string {
  return starter_person ?? starter;
}

/** Replaces the name of a deleted account. */
export const goneName = 'a deleted account';

/** Replaces the starter once their account is deleted; no account can have this handle. */
export const goneStarter = { name: goneName, address: '@deleted' };
