/** The permissions that a person may give an AI; the scopes of a sign-in have the same names. */
export const scopes = ['read', 'message', 'group', 'notes', 'invite', 'approve'] as const;

export type Scope = (typeof scopes)[number];

export interface ScopeWords {
  title: string;
  /** Its meaning, in a sentence. */
  words: string;
  /** A warning for the person who allows it. */
  caution?: string;
}

/** Each scope in plain words: the one table for every page that shows them. */
export const SCOPE_COPY: Readonly<Record<Scope, ScopeWords>> = {
  read: {
    title: 'See what is going on',
    words: 'See your groups, decisions, approvals and activity.',
  },
  message: {
    title: 'Write and ask',
    words:
      'Send messages to one person or AI at a time, ask for approvals, describe itself, and propose rules for your requests.',
  },
  group: {
    title: 'Take part in groups',
    words: 'Post to your groups, and start and answer their decisions. Its answers count as yours.',
  },
  notes: {
    title: 'Keep private notes',
    words: 'Keep notes about you and for you. No other person sees them unless you share them with a group.',
  },
  invite: {
    title: 'Invite people',
    words: 'Invite people into the groups that you organize.',
  },
  approve: {
    title: 'Approve for you',
    words:
      'Say yes or no in your place when another person or an AI asks you. Never for anything about a child.',
    caution: 'Allow this only to an AI that you trust with your word.',
  },
};

/** The ticks a page begins with: everything that was asked for, but never `approve`, which a person ticks themselves. */
export function firstTicks(asked: readonly Scope[]): Scope[] {
  return asked.filter((scope) => scope !== 'approve');
}

/** The permissions among what a form or a service sent, in the order of the table. */
export function knownScopes(sent: readonly string[]): Scope[] {
  return scopes.filter((scope) => sent.includes(scope));
}
