import { isHearthError, notFound } from '@hearth/errors';
import { type Text, t } from '@hearth/i18n';
import { type Approval, ApprovalStatus, ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { Box, MessagesService } from '@hearth/proto/messages/v1/messages';
import {
  type FollowedInvite,
  followedInvitePage,
  oneMessagePage,
  oneOf,
  paths,
  type RequestsDone,
  readTicked,
  requestsPage,
  requestsSettledPage,
  type SettledItem,
  settledStatuses,
} from '@hearth/web';
import { type Context, msOf, type Own, type OwnForm, type PageAnswer } from '../pages/module.ts';
import { statusName } from './approval-names.ts';
import { frameOfRequests } from './frame.ts';
import { ownTitle } from './own-title.ts';
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
import { listWaitingDecisions } from './waiting-decisions.ts';

/** The notice of the page, by the word in its query. */
const doneWords: Readonly<Record<Done | 'later', Text>> = {
  approved: t('requests.done.approved'),
  accepted: t('requests.done.accepted'),
  declined: t('requests.done.declined'),
  later: t('requests.done.later'),
  relabelled: t('requests.done.relabelled'),
  relabelled_declined: t('requests.done.relabelled_declined'),
  blocked: t('requests.done.blocked'),
  reported: t('requests.done.reported'),
  blocked_reported: t('requests.done.blocked_reported'),
  late: t('requests.done.late'),
};

const settledPageSize = 100;
const endings = [
  ApprovalStatus.APPROVED,
  ApprovalStatus.DECLINED,
  ApprovalStatus.CANCELLED,
  ApprovalStatus.EXPIRED,
];

/** A person's waiting requests, and their settled asks. */
export function addRequestPages(context: Context): void {
  const { addOwnPage, clock, config } = context;

  addOwnPage('requests', '/requests', {
    opensByLink: true,
    async get(request) {
      const [{ items, more, partial }, decisions] = await Promise.all([
        listWaiting(context, request.person),
        listWaitingDecisions(context, request.person),
      ]);
      const putOff = readPutOff(request.exchange.request, config.siteUrl);
      const fresh = items.filter(({ id }) => !putOff.has(id));
      const frame = await frameOfRequests(context, request, fresh.length + (decisions?.length ?? 0));
      const html = requestsPage(frame, {
        items: fresh,
        putOff: items.filter(({ id }) => putOff.has(id)),
        decisions: decisions ?? [],
        more,
        partial: partial || decisions === undefined,
        nowMs: clock.now(),
        done: doneIn(request.query),
      });
      return { html };
    },
    post: (request) => actOnTicked(context, request),
  });

  addOwnPage('requests_settled', '/requests/settled', { get: (request) => showSettled(context, request) });
  addOwnPage('request', '/requests/:id', {
    opensByLink: true,
    get: (request) => showMessage(context, request),
    post: (request) => act(context, request),
  });
}

/**
 * A whole message. A person who may not read it, such as the guardian who was notified, sees their waiting
 * requests instead.
 */
async function showMessage(context: Context, request: Own): Promise<PageAnswer> {
  const id = request.param('id');
  if (!id.startsWith('msg_')) throw notFound();
  const [frame, message] = await Promise.all([
    frameOfRequests(context, request),
    context.ask(MessagesService.method.getMessage, { id }, request.person).catch(nothingSeen),
  ]);
  if (message === null) return { goTo: paths.requests };
  const { thread, title = '', text, from, fromName, nameVerified, at, box, retracted } = message;
  const about = { id, thread, title, text, from, fromName, nameVerified, retracted };
  return { html: oneMessagePage(frame, { ...about, atMs: msOf(at) ?? 0, waits: box === Box.REQUESTS }) };
}

function nothingSeen(error: unknown): null {
  if (isHearthError(error) && error.kind === 'not_found') return null;
  throw error;
}

async function act(context: Context, request: OwnForm): Promise<PageAnswer> {
  const item = namedIn(request);
  const word = request.field('do');
  if (word === 'later') return putOffUntilTomorrow(context, request, [item.id]);
  try {
    const done = await actBy(context, request, item, word);
    if (typeof done !== 'string')
      return { html: followedInvitePage(await frameOfRequests(context, request), done) };
    return noticeOf(done, item.type === 'approval' && isAnswer(done) ? item.id : undefined);
  } catch (error) {
    if (item.type === 'approval' && wantsAnotherLook(error))
      return { goTo: `${paths.ask(item.id)}?done=changed` };
    if (isTooLate(error)) return noticeOf('late');
    throw error;
  }
}

function putOffUntilTomorrow({ config }: Context, { exchange }: OwnForm, ids: readonly string[]): PageAnswer {
  return { ...noticeOf('later'), headers: readPutOff(exchange.request, config.siteUrl).with(ids) };
}

async function actBy(
  context: Context,
  request: OwnForm,
  item: Named,
  word: string,
): Promise<Done | FollowedInvite> {
  const { person } = request;
  const text = (name: string) => request.field(name);
  switch (word) {
    case 'yes':
      return await sayYes(context, person, item);
    case 'no':
      return await sayNo(context, person, item, text('note'));
    case 'relabel':
      return await relabel(context, person, item, text('kind'));
    case 'block':
    case 'report':
    case 'both': {
      const complaint = { from: text('from'), reason: text('reason'), text: text('text') };
      return await complain(context, person, item, word, complaint);
    }
    default:
      throw unknownAct();
  }
}

const types = ['approval', 'message', 'invite', 'agreement'] as const;

function namedIn(request: OwnForm): Named {
  const type = oneOf(types, request.field('type'));
  if (type === undefined) throw unknownAct();
  return { id: request.param('id'), type, digest: request.field('digest') };
}

const isAnswer = (done: Done) => done === 'approved' || done === 'declined';

function noticeOf(done: Done | 'later', ask?: string): { goTo: string } {
  const query = new URLSearchParams({ done, ...(ask !== undefined && { of: ask }) });
  return { goTo: `${paths.requests}?${query}` };
}

/** Does the same to all ticked requests, except those that must be looked at on their own. */
async function actOnTicked(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { form, person } = request;
  const items = form.getAll('item').flatMap((value) => readTicked(value) ?? []);
  const word = request.field('do');
  if (word === 'later' && items.length > 0) {
    const ids = items.map(({ id }) => id);
    return putOffUntilTomorrow(context, request, ids);
  }
  if (word !== 'yes' && word !== 'no') throw unknownAct();
  let done = 0;
  for (const item of items) {
    if (word === 'yes' && item.yes !== 'tap') continue;
    try {
      await (word === 'yes' ? sayYes(context, person, item) : sayNo(context, person, item));
      done += 1;
    } catch (error) {
      // One refused act doesn't affect the others; our own faults stop them all.
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
  if (count + left === 0) return { words: t('requests.done-none'), care: true };
  return { words: t(`requests.done-${word}`, { count, left }), care: left > 0 };
}

/** The latest settled asks of every status; the operation lists one status at a time. */
async function showSettled(context: Context, request: Own): Promise<PageAnswer> {
  const { listApprovals } = ApprovalsService.method;
  const [frame, ...lists] = await Promise.all([
    frameOfRequests(context, request),
    ...endings.map((status) =>
      context.ask(listApprovals, { status, limit: settledPageSize }, request.person),
    ),
  ]);
  const items = lists
    .flatMap((list) =>
      list.approvals.flatMap((approval) => settledItem(approval, request.person.address) ?? []),
    )
    .sort((one, other) => (other.settledAtMs ?? 0) - (one.settledAtMs ?? 0))
    .slice(0, settledPageSize);
  return { html: requestsSettledPage(frame, items) };
}

function settledItem(approval: Approval, viewer: string): SettledItem | null {
  const { id, title, from, fromName, nameVerified, settledAt } = approval;
  const status = oneOf(settledStatuses, statusName(approval.status));
  if (status === undefined) return null;
  const named = { title, ownTitle: ownTitle(approval) };
  return {
    id,
    ...named,
    status,
    mine: from === viewer,
    fromName,
    nameVerified,
    settledAtMs: msOf(settledAt),
  };
}
