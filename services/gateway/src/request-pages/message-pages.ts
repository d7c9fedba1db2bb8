import { minute } from '@hearth/clock';
import { isHearthError, notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { sizeOf } from '@hearth/limits';
import { Delivery, type Message, MessagesService, type Thread } from '@hearth/proto/messages/v1/messages';
import type { Caller } from '@hearth/rpc';
import { messagesPage, newMessagePage, paths, threadPage } from '@hearth/web';
import {
  type Context,
  doneOf,
  ifThere,
  noticeOn,
  type Own,
  type OwnForm,
  type OwnRefusal,
  type PageAnswer,
  type PageRequest,
  type Refusal,
  shown,
  unlessRefused,
} from '../pages/module.ts';
import { frameOfRequests } from './frame.ts';
import { complain, unknownAct } from './request-acts.ts';
import { otherSide, threadMessage, threadRow, waitingMessage } from './thread-view.ts';

const { countUnread, deleteMessage, getThread, listThreads, markRead, sendMessage } = MessagesService.method;

/** How many messages of a thread are searched for its first words, and for the name of a party that is gone. */
const lookedAt = 10;

const doneWords = {
  sent: t('messages.done.sent'),
  requested: t('messages.done.requested'),
  front_door: t('messages.done.front_door'),
  taken_back: t('messages.done.taken_back'),
  blocked: t('requests.done.blocked'),
  reported: t('requests.done.reported'),
  blocked_reported: t('requests.done.blocked_reported'),
};

const outcomeWords = {
  declined: t('messages.done.declined'),
  held: t('messages.done.held'),
};

type Done = keyof typeof doneWords | keyof typeof outcomeWords;

const deliveryWords: Readonly<Partial<Record<Delivery, Done>>> = {
  [Delivery.REQUESTED]: 'requested',
  [Delivery.FRONT_DOOR]: 'front_door',
  [Delivery.DECLINED]: 'declined',
  [Delivery.HELD]: 'held',
};

type Again = Refusal & { values?: Record<string, string> };

/** A person's messages: all threads, a single thread, and the form for a new message. */
export function addMessagePages(context: Context): void {
  const { addOwnPage } = context;
  addOwnPage('messages', '/messages', { get: (request) => showThreads(context, request) });
  // Before the pages of threads, because its path also matches theirs.
  addOwnPage('message_new', '/messages/new', {
    get: (request) => showNew(context, request, { values: { to: request.query.get('to') ?? '' } }),
    post: (request) => sendNew(context, request),
  });
  addOwnPage('thread', '/messages/:id', {
    get: (request) => showThread(context, request, { marks: isLookedAt(request) }),
    post: (request) => act(context, request),
  });
}

async function showThreads(context: Context, request: Own): Promise<PageAnswer> {
  const { person } = request;
  const cursor = request.query.get('older') ?? '';
  const { threads, nextCursor } = await context.send(
    listThreads,
    { ...(cursor !== '' && { cursor }) },
    person,
  );
  const [frame, ...rows] = await Promise.all([
    frameWithUnread(context, request),
    ...threads.map(async (thread) => threadRow(thread, await firstOf(context, thread, person))),
  ]);
  return { html: messagesPage(frame, { threads: rows, older: nextCursor, isOlder: cursor !== '' }) };
}

/** A thread may disappear while its messages are looked up. */
async function firstOf({ ask }: Context, { id }: Thread, person: Caller): Promise<readonly Message[]> {
  try {
    return (await ask(getThread, { id, limit: lookedAt }, person)).messages;
  } catch (error) {
    if (isHearthError(error) && error.kind === 'not_found') return [];
    throw error;
  }
}

async function frameWithUnread(context: Context, request: Own) {
  const [frame, unread] = await Promise.all([
    frameOfRequests(context, request),
    ifThere(context.ask(countUnread, { owner: request.person.id }, request.person)),
  ]);
  return { ...frame, messages: { unread: unread?.count } };
}

async function showNew(context: Context, request: Own, { values = {}, ...wrong }: Again) {
  const frame = await frameWithUnread(context, request);
  return shown(newMessagePage(frame, { values, attempt: context.ids.uuid(), ...wrong }), wrong);
}

async function sendNew(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, given, person } = request;
  const [to, kind, text] = [field('to'), field('kind'), field('text')];
  const draft = { to, text, ...given({ request_kind: 'kind', request_id: 'attempt' }) };
  const work = async () => {
    const { thread, delivery } = await context.send(sendMessage, draft, person);
    return noticeOn(paths.thread(thread), deliveryWords[delivery] ?? 'sent');
  };
  const nobody = { errors: { to: t('messages.to-unknown') } };
  const fields = { to: 'to', text: 'text', request_kind: 'kind' };
  const again = (wrong: Refusal) => showNew(context, request, { values: { to, kind, text }, ...wrong });
  return await unlessRefused(fields, work, again, orNotThere(nobody));
}

/** Whether the browser shows the page to the person: no prefetch, and no request for headers only. */
function isLookedAt({ exchange }: PageRequest): boolean {
  const { method, headers } = exchange.request;
  return method === 'GET' && !/prefetch/.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''));
}

async function showThread(
  context: Context,
  request: Own,
  { marks = false, values = {}, ...wrong }: Again & { marks?: boolean },
): Promise<PageAnswer> {
  const { ask, clock, config, ids, limits } = context;
  const { person } = request;
  const cursor = request.query.get('older') ?? '';
  const found = await findThread(context, request, cursor);
  const { thread, messages, nextCursor } = found;
  const [newest] = messages;
  if (marks && cursor === '' && newest !== undefined && thread.unread > 0)
    await ifThere(ask(markRead, { thread: thread.id, upTo: newest.id }, person));
  const seen = {
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    takeBackSinceMs: clock.now() - sizeOf(limits, 'retract_minutes') * minute,
  };
  const model = {
    ...{ id: thread.id, with: otherSide(thread, messages), waits: waitingMessage(messages) },
    messages: messages.map((message) => threadMessage(message, seen)).reverse(),
    ...{ older: nextCursor, isOlder: cursor !== '', values, attempt: ids.uuid(), ...wrong },
    done: doneOf(request, doneWords),
    outcome: doneOf(request, outcomeWords),
  };
  return shown(threadPage(await frameWithUnread(context, request), model), wrong);
}

async function findThread({ ask }: Context, request: Own, cursor = '') {
  const wanted = { id: request.param('id'), ...(cursor !== '' && { cursor }) };
  const { thread, ...found } = await ask(getThread, wanted, request.person);
  if (thread === undefined) throw notFound();
  return { thread, ...found };
}

async function act(context: Context, request: OwnForm): Promise<PageAnswer> {
  const { field, given, person } = request;
  const found = await findThread(context, request);
  const { id } = found.thread;
  const name = field('do');
  const work = async (): Promise<Done> => {
    if (name === 'reply') {
      const draft = { thread: id, text: field('text'), ...given({ request_id: 'attempt' }) };
      const { delivery } = await context.send(sendMessage, draft, person);
      return deliveryWords[delivery] ?? 'sent';
    }
    if (name === 'take-back') {
      await context.send(deleteMessage, { id: field('message'), mode: 'retract' }, person);
      return 'taken_back';
    }
    if (name === 'block' || name === 'report' || name === 'both')
      return await complainAbout(context, request, found, name);
    throw unknownAct();
  };
  const isReply = name === 'reply';
  const textField = isReply ? 'text' : 'text-0';
  const gone = { refused: isReply ? t('messages.gone') : t('messages.message-gone') };
  return await unlessRefused(
    { text: textField },
    async () => noticeOn(paths.thread(id), await work()),
    (wrong) => showThread(context, request, { values: { [textField]: field('text') }, ...wrong }),
    orNotThere(gone),
  );
}

/** Reports the other party's newest message, or their address if no message is left. */
async function complainAbout(
  context: Context,
  request: OwnForm,
  { thread, messages }: { thread: Thread; messages: readonly Message[] },
  act: 'block' | 'report' | 'both',
) {
  const about = messages.find(({ from }) => from === thread.with)?.id;
  const item = { id: about ?? thread.with, type: 'message', digest: '' } as const;
  const complaint = { from: thread.with, reason: request.field('reason'), text: request.field('text') };
  const done = await complain(context, request.person, item, act, complaint);
  return done as 'blocked' | 'reported' | 'blocked_reported';
}

/** @param notThere the refusal if what the form names was not found */
const orNotThere =
  (notThere: Refusal): OwnRefusal =>
  ({ kind }) =>
    kind === 'not_found' ? notThere : undefined;
