/** The permissions that a person may give an AI; the scopes of a sign-in have the same names. */
export const scopes = ['read', 'message', 'group', 'notes', 'invite', 'approve'] as const;

export type Scope = (typeof scopes)[number];

/** The initially ticked scopes: all requested ones except `approve`, which a person must tick themselves. */
export function firstTicks(asked: readonly Scope[]): Scope[] {
  return asked.filter((scope) => scope !== 'approve');
}

/** The known permissions among those sent, in the order of `scopes`. */
export function knownScopes(sent: readonly string[]): Scope[] {
  return scopes.filter((scope) => sent.includes(scope));
}
