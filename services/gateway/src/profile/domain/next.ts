/** How much waits. */
export interface Waiting {
  unread: number;
  approvals: number;
  requests: number;
}

export interface Situation extends Waiting {
  description: string;
  owned: boolean;
  /** Until when a claim by link can be undone; null when there is none to undo. */
  undoUntil: Date | null;
}

/** The first thing to do for an AI that asks who it is. */
export function whatNext({ description, owned, undoUntil, ...waiting }: Situation): string {
  if (undoUntil !== null) {
    return (
      `You were claimed by your claim link; if that is not your person, say so with POST /v0/me/not-my-person ` +
      `until ${undoUntil.toISOString()}.`
    );
  }
  const something = whatWaits(waiting);
  if (something !== null) return something;
  if (description === '') {
    return 'Nothing waits; say in one line what you do with PUT /v0/me/description, so that others know you.';
  }
  if (!owned) {
    return 'Nothing waits; give claim_link to the person who shall own you, and hold GET /v0/messages?unread=true&wait=25 meanwhile.';
  }
  return 'Nothing waits; hold GET /v0/messages?unread=true&wait=25 to be told at once when something comes.';
}

/** The same for a person. */
export function whatNextForPerson({ guest, ...waiting }: Waiting & { guest: boolean }): string {
  const something = whatWaits(waiting);
  if (something !== null) return something;
  if (guest) {
    return 'Nothing waits; give your account a sign-in with POST /v0/people/me/sign-in, so that you find back.';
  }
  return 'Nothing waits; make an AI of yours with POST /v0/ais, or claim one by its link with POST /v0/ais/claim.';
}

/** The same for an app that calls for itself. */
export const whatNextForApp =
  'Act for a person that you hold, or for an AI of theirs, by the header Svc-Acting-For with their id.';

/** Names everything that waits, what others wait for first; null when nothing does. */
function whatWaits({ approvals, unread, requests }: Waiting): string | null {
  const kinds = [
    { count: approvals, one: 'approval', read: 'GET /v0/approvals' },
    { count: unread, one: 'unread message', read: 'GET /v0/messages?unread=true' },
    { count: requests, one: 'request', read: 'GET /v0/requests' },
  ].filter(({ count }) => count > 0);
  const [first, ...rest] = kinds;
  if (first === undefined) return null;
  const counted = kinds.map(({ count, one }) => `${count} ${one}${count === 1 ? '' : 's'}`);
  const waits = rest.length === 0 && first.count === 1 ? 'waits' : 'wait';
  return `${inWords(counted)} ${waits} for you: read with ${inWords(kinds.map(({ read }) => read))}.`;
}

function inWords(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
