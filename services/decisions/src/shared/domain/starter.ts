/** The person or AI that started a decision or a plan, as its row has it. */
export interface Starter {
  starter_kind: 'ai' | 'person';
  /** uuid */
  starter: string;
  /** uuid of that person, or of the person behind the AI; null of the group AI. */
  starter_person: string | null;
  starter_app: string | null;
  starter_address: string;
  starter_name: string;
  starter_minor: boolean;
}

/** uuid of the person who started it, or behind the AI that did; of the group AI its own. */
export function starterOf({ starter, starter_person }: Starter): string {
  return starter_person ?? starter;
}

/** Stands in place of the name of a person whose account is gone. */
export const goneName = 'a deleted account';

/** Stands in place of the person who started it, or whose AI did, once their account is gone; no account can have this handle. */
export const goneStarter = { name: goneName, address: '@deleted' };
