import { isHearthError } from '@hearth/errors';
import { type Approval, ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import {
  type FollowedInvite,
  followedInvitePage,
  oneOf,
  paths,
  type RequestsDone,
  readTicked,
  requestsPage,
  requestsSettledPage,
  type SettledItem,
  settledStatuses,
} from '@hearth/web';
import { type Asked, type FormRequest, fieldOf, msOf, type PageAnswer, signedIn } from '../pages/module.ts';
import { statusWord } from './approval-words.ts';
import { type ApprovalContext, frameOfRequests } from './context.ts';
import { readPutOff } from './put-off.ts';
import {
  complain,
  type Done,
  isTooLate,
  type Named,
  relabel,
  sayNo,
  sayYes,
  unknownAct,
  wantsAnotherLook,
} from './request-acts.ts';
import { listWaiting } from './request-items.ts';

/** What was just done, by the word in the query of the page. */
const doneWords: Readonly<Record<Done | 'later', string>> = {
  approved: 'Approved.',
  accepted: 'Accepted: it is in your inbox, and they can write on.',
  declined: 'Declined.',
  later: 'Put off until tomorrow. Nobody is told.',
  relabelled: 'Noted. This sender counts as that from now on.',
  relabelled_declined: 'Noted, and declined as your rules for this kind say.',
  blocked: 'Blocked. Nothing of theirs reaches you, and they are not told.',
  reported: 'Reported to whoever runs this home.',
  blocked_reported: 'Blocked, and reported to whoever runs this home.',
  late: 'That is not waiting any more: it was settled, taken back, or ran out of time.',
};

const settledPageSize = 100;
const endings = [
  ApprovalStatus.APPROVED,
  ApprovalStatus.DECLINED,
  ApprovalStatus.CANCELLED,
  ApprovalStatus.EXPIRED,
];

/** All that waits for a person, and what became of asks. */
export function addRequestPages(context: ApprovalContext): void {
  const { addPage, clock, peers, siteUrl } = context;

  addPage({
    name: 'requests',
    path: '/requests',
    opensByLink: true,
    get: signedIn(async ({ request, person }) => {
      const { items, more, partial } = await listWaiting(peers, person);
      const putOff = readPutOff(request.exchange.request, siteUrl);
      const fresh = items.filter(({ id }) => !putOff.has(id));
      const frame = await frameOfRequests(context, request, fresh.length);
      const html = requestsPage(frame, {
        items: fresh,
        putOff: items.filter(({ id }) => putOff.has(id)),
        more,
        partial,
        nowMs: clock.now(),
        done: doneIn(request.query),
      });
      return { html };
    }),
    post: signedIn<FormRequest>((asked) => actOnTicked(context, asked)),
  });

  addPage({
    name: 'requests_settled',
    path: '/requests/settled',
    get: signedIn(async (asked) => await showSettled(context, asked)),
  });

  addPage({
    name: 'request',
    path: '/requests/:id',
    post: signedIn<FormRequest>((asked) => act(context, asked)),
  });
}

async function act(context: ApprovalContext, { request, person }: Asked<FormRequest>): Promise<PageAnswer> {
  const item = namedIn(request);
  const word = fieldOf(request, 'do');
  if (word === 'later') {
    const headers = readPutOff(request.exchange.request, context.siteUrl).with([item.id]);
    return { ...told('later'), headers };
  }
  try {
    const done = await actBy(context, { request, person }, item, word);
    if (typeof done !== 'string')
      return { html: followedInvitePage(await frameOfRequests(context, request), done) };
    return told(done, item.type === 'approval' && isAnswer(done) ? item.id : undefined);
  } catch (error) {
    if (item.type === 'approval' && wantsAnotherLook(error))
      return { goTo: `${paths.ask(item.id)}?done=changed` };
    if (isTooLate(error)) return told('late');
    throw error;
  }
}

async function actBy(
  context: ApprovalContext,
  { request, person }: Asked<FormRequest>,
  item: Named,
  word: string,
): Promise<Done | FollowedInvite> {
  switch (word) {
    case 'yes':
      return await sayYes(context, person, item);
    case 'no':
      return await sayNo(context, person, item, fieldOf(request, 'note'));
    case 'relabel':
      return await relabel(context, person, item, fieldOf(request, 'kind'));
    case 'block':
    case 'report':
    case 'both': {
      const [from, reason, text] = ['from', 'reason', 'text'].map((name) => fieldOf(request, name));
      return await complain(context, person, item, word, { from: from!, reason: reason!, text: text! });
    }
    default:
      throw unknownAct();
  }
}

const types = ['approval', 'message', 'invite'] as const;

function namedIn(request: FormRequest): Named {
  const type = oneOf(types, fieldOf(request, 'type'));
  if (type === undefined) throw unknownAct();
  return { id: request.params['id'] ?? '', type, digest: fieldOf(request, 'digest') };
}

const isAnswer = (done: Done) => done === 'approved' || done === 'declined';

function told(done: Done | 'later', ask?: string): { goTo: string } {
  return {
    goTo: `${paths.requests}?${new URLSearchParams({ done, ...(ask !== undefined && { of: ask }) })}`,
  };
}

/** The same with all that are ticked; what has to be looked at on its own is left. */
async function actOnTicked(
  context: ApprovalContext,
  { request, person }: Asked<FormRequest>,
): Promise<PageAnswer> {
  const items = request.form.getAll('item').flatMap((value) => readTicked(value) ?? []);
  const word = fieldOf(request, 'do');
  if (word === 'later' && items.length > 0) {
    const headers = readPutOff(request.exchange.request, context.siteUrl).with(items.map(({ id }) => id));
    return { ...told('later'), headers };
  }
  if (word !== 'yes' && word !== 'no') throw unknownAct();
  let done = 0;
  for (const item of items) {
    if (word === 'yes' && item.yes !== 'tap') continue;
    try {
      await (word === 'yes' ? sayYes(context, person, item) : sayNo(context, person, item));
      done += 1;
    } catch (error) {
      // Of many, one that cannot be done says nothing about the others; our own faults stop them all.
      if (!isHearthError(error) || !['bad_request', 'not_found', 'forbidden'].includes(error.kind))
        throw error;
    }
  }
  const counts = { done: word, n: String(done), left: String(items.length - done) };
  return { goTo: `${paths.requests}?${new URLSearchParams(counts)}` };
}

const number = /^\d{1,3}$/;
const askId = /^(apr_[0-9a-f]{32}|r:[a-z0-9.:-]{1,260}:apr_[0-9a-f]{32})$/;

function doneIn(query: URLSearchParams): RequestsDone | undefined {
  const done = query.get('done') ?? '';
  const [n = '', left = ''] = [query.get('n') ?? '', query.get('left') ?? ''];
  if ((done === 'yes' || done === 'no') && number.test(n) && number.test(left)) {
    return doneOfTicked(done, Number(n), Number(left));
  }
  if (!Object.hasOwn(doneWords, done)) return undefined;
  const ask = query.get('of') ?? '';
  return {
    words: doneWords[done as Done],
    care: done === 'late',
    ask: askId.test(ask) ? ask : undefined,
  };
}

function doneOfTicked(word: 'yes' | 'no', count: number, left: number): RequestsDone {
  if (count + left === 0) return { words: 'Nothing was ticked.', care: true };
  const doing = word === 'yes' ? 'approved or accepted' : 'declined';
  const first = `${count} ${count === 1 ? 'was' : 'were'} ${doing}.`;
  if (left === 0) return { words: first };
  const rest =
    left === 1 ? '1 was left: look at it on its own.' : `${left} were left: look at each on its own.`;
  return { words: `${first} ${rest}`, care: true };
}

/** The latest of each way to end, together: the operation tells the settled ones by their status. */
async function showSettled(context: ApprovalContext, { request, person }: Asked): Promise<PageAnswer> {
  const { approvals } = context.peers;
  const [frame, ...lists] = await Promise.all([
    frameOfRequests(context, request),
    ...endings.map((status) =>
      approvals.listApprovals({ status, limit: settledPageSize }, { caller: person }),
    ),
  ]);
  const items = lists
    .flatMap((list) => list.approvals.flatMap((approval) => settledItem(approval) ?? []))
    .sort((one, other) => (other.settledAtMs ?? 0) - (one.settledAtMs ?? 0))
    .slice(0, settledPageSize);
  return { html: requestsSettledPage(frame, { items, olderCursor: undefined, isOlder: false }) };
}

function settledItem(approval: Approval): SettledItem | null {
  const { id, title, fromName, nameVerified, settledAt, reminders } = approval;
  const status = oneOf(settledStatuses, statusWord(approval.status));
  if (status === undefined) return null;
  // Reminders are told to whoever asked alone.
  const mine = reminders !== undefined;
  return { id, title, status, mine, fromName, nameVerified, settledAtMs: msOf(settledAt) };
}
