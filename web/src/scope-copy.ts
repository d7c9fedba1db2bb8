/** The permissions that a person may give an AI; the scopes of a sign-in have the same names. */
export const scopes = ['read', 'message', 'group', 'notes', 'invite', 'approve'] as const;

export type Scope = (typeof scopes)[number];

/** The first ticks of a page: everything that was asked for except `approve`, which a person ticks themselves. */
export function firstTicks(asked: readonly Scope[]): Scope[] {
  return asked.filter((scope) => scope !== 'approve');
}

/** The permissions among what a form or a service sent, in the order of the table. */
export function knownScopes(sent: readonly string[]): Scope[] {
  return scopes.filter((scope) => sent.includes(scope));
}
