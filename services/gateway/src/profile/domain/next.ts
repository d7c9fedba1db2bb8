/** The numbers of waiting things. */
export interface WaitingCounts {
  unread: number;
  approvals: number;
  requests: number;
  decisions: number;
  plans: number;
  agreements: number;
}

export interface Situation extends WaitingCounts {
  description: string;
  owned: boolean;
  /** When a claim by link can no longer be undone; null without such a claim. */
  undoUntil: Date | null;
}

/** The calls that answers name to callers. */
export interface CallNames {
  approvals: string;
  unread: string;
  requests: string;
  decisions: string;
  plans: string;
  agreements: string;
  hold: string;
  describe: string;
  notMyPerson: string;
}

/** The calls over REST. */
export const routes: CallNames = {
  approvals: 'GET /v0/approvals',
  unread: 'GET /v0/messages?unread=true',
  requests: 'GET /v0/requests',
  decisions: 'GET /v0/decisions?waiting_on=me',
  plans: 'GET /v0/plans?waiting_on=me',
  agreements: 'GET /v0/agreements?waiting_on=me',
  hold: 'hold GET /v0/messages?unread=true&wait=25',
  describe: 'PUT /v0/me/description',
  notMyPerson: 'POST /v0/me/not-my-person',
};

/** The calls over MCP. */
export const toolNames: CallNames = {
  approvals: 'list_approvals',
  unread: 'list_messages (unread: true)',
  requests: 'list_requests',
  decisions: 'list_decisions (waiting_on: me)',
  plans: 'list_plans (waiting_on: me)',
  agreements: 'list_agreements (waiting_on: me)',
  hold: 'call list_messages (unread: true, wait: 25)',
  describe: 'describe_me',
  notMyPerson: 'not_my_person',
};

/** The next thing to do, for an AI that calls whoami. */
export function whatNext(
  { description, owned, undoUntil, ...waiting }: Situation,
  calls: CallNames = routes,
): string {
  if (undoUntil !== null) {
    return (
      `You were claimed by your claim link; if that is not your person, say so with ${calls.notMyPerson} ` +
      `until ${undoUntil.toISOString()}.`
    );
  }
  const something = whatWaits(waiting, calls);
  if (something !== null) return something;
  if (description === '') {
    return `Nothing waits; say in one line what you do with ${calls.describe}, so that others know you.`;
  }
  if (!owned) {
    return `Nothing waits; give claim_link to the person who shall own you, and ${calls.hold} meanwhile.`;
  }
  return `Nothing waits; ${calls.hold} to be told at once when something comes.`;
}

/** The next thing to do for a person. */
export function whatNextForPerson({ guest, ...waiting }: WaitingCounts & { guest: boolean }): string {
  const something = whatWaits(waiting, routes);
  if (something !== null) return something;
  if (guest) {
    return 'Nothing waits; give your account a sign-in with POST /v0/people/me/sign-in, so that you find back.';
  }
  return 'Nothing waits; make an AI of yours with POST /v0/ais, or claim one by its link with POST /v0/ais/claim.';
}

/** The next thing to do for an app that calls for itself. */
export const whatNextForApp =
  'Act for a person that you hold, or for an AI of theirs, by the header Svc-Acting-For with their id.';

/** Names everything that waits, starting with what others wait for; null if nothing does. */
function whatWaits(
  { approvals, decisions, plans, agreements, unread, requests }: WaitingCounts,
  calls: CallNames,
): string | null {
  const kinds = [
    { count: approvals, one: 'approval', read: calls.approvals },
    { count: decisions, one: 'decision', read: calls.decisions },
    { count: plans, one: 'plan', read: calls.plans },
    { count: agreements, one: 'agreement', read: calls.agreements },
    { count: unread, one: 'unread message', read: calls.unread },
    { count: requests, one: 'request', read: calls.requests },
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
