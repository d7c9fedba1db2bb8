import { t, verbatim } from '@hearth/i18n';
import type * as web from '@hearth/web';
import { messagesPage, newMessagePage, threadPage } from '@hearth/web';

const now = Date.UTC(2026, 4, 3, 14, 5);
const hour = 3_600_000;

/** A person's messages, in their states. */
export function messageSamples(
  ada: web.Frame,
  guest: web.Frame,
  theirs: (text: string) => string,
): Record<string, string> {
  const frame = { ...ada, requests: { waiting: 4 }, messages: { unread: 12 } };
  const bob = { address: '@bob', name: theirs('Bob Builder'), nameVerified: true };
  const otter = { address: '@free-k3x9qa.ai-otter', name: theirs('Otter'), nameVerified: false };
  const row: web.ListedThread = {
    ...{ id: 'thr_01', with: bob, lastAtMs: now - hour, unread: 2 },
    newest: { text: theirs('See you on Thursday at nine.'), mine: false, retracted: false },
  };
  const bobs: web.ThreadMessage = {
    ...{ id: 'msg_01', mine: false, fromName: bob.name, nameVerified: true, atMs: now - hour },
    ...{ title: '', text: theirs('See you on Thursday\nat nine.'), isNew: true, retracted: false },
    mayTakeBack: false,
  };
  const mine = { ...bobs, mine: true, isNew: false, fromName: 'Ada', text: theirs('Until then.') };
  const shown = { id: 'thr_01', with: bob, isOlder: false, values: {}, attempt: 'attempt-1' };
  return {
    'messages-none': messagesPage(
      { ...guest, requests: {}, messages: { unread: 0 } },
      { threads: [], isOlder: false },
    ),
    messages: messagesPage(frame, {
      threads: [
        row,
        { ...row, id: 'thr_02', with: otter, unread: 10, box: 'requests' },
        { ...row, id: 'thr_03', unread: 0, newest: { ...row.newest!, mine: true } },
        {
          ...{ ...row, id: 'thr_04', with: { address: '@carol@far.example', nameVerified: false } },
          ...{ unread: 0, box: 'front_door', newest: { text: '', mine: true, retracted: true } },
        },
        { ...row, id: 'thr_05', unread: 0, newest: undefined },
      ],
      older: 'cursor',
      isOlder: false,
    }),
    'messages-older': messagesPage(frame, { threads: [], isOlder: true }),
    thread: threadPage(frame, {
      ...shown,
      messages: [
        { ...mine, id: 'msg_02', title: theirs('Thursday'), through: 'app' },
        { ...mine, id: 'msg_03', through: 'program', delivery: 'undeliverable' },
        bobs,
        { ...bobs, id: 'msg_04', ai: { status: 'claimed', of: '@bob' }, fromName: theirs('Robin') },
        { ...bobs, id: 'msg_05', text: '', isNew: false, retracted: true },
        { ...mine, id: 'msg_06', text: '', retracted: true },
        { ...mine, id: 'msg_07', mayTakeBack: true, delivery: 'held' },
      ],
      older: 'cursor',
      done: t('messages.done.sent'),
    }),
    'thread-request': threadPage(frame, {
      ...{ ...shown, with: otter, waits: 'msg_01', isOlder: true },
      messages: [
        { ...bobs, ai: { status: 'unclaimed' }, fromName: otter.name, nameVerified: false, isNew: false },
      ],
    }),
    'thread-empty': threadPage(frame, {
      ...{ ...shown, with: { address: '@carol@far.example', nameVerified: false }, messages: [] },
      refused: 'They cannot be written to any more.',
    }),
    'thread-errors': threadPage(frame, {
      ...{ ...shown, messages: [bobs], values: { text: theirs('x'), 'text-0': theirs('y') } },
      errors: {
        text: verbatim('This must have at least 1 character.'),
        'text-0': verbatim('This must have at most 2000 characters.'),
      },
    }),
    'message-new': newMessagePage(frame, { values: {}, attempt: 'attempt-1' }),
    'message-new-errors': newMessagePage(frame, {
      values: { to: theirs('ada'), text: theirs('Hello'), kind: 'sales' },
      attempt: 'attempt-1',
      errors: { to: verbatim('No one has this address.') },
      refused: 'This address does not take messages from you.',
    }),
  };
}
