import { timestampMs } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import type { Event, MessageSent, PersonNotified } from '@hearth/proto/events/v1/events';
import { type NoticeDraft, type NoticeKind, noticeKinds } from './notice.ts';

/** The events of which people are told. */
export const noticedTypes = ['person_notified', 'message_sent'];

/** Where people see what waits for them. */
const requestsPage = '/requests';
/** Messages in the inbox have no page of their own. */
const frontPage = '/';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Words = Omit<NoticeDraft, 'event' | 'at'>;

/** What an event says to a person; null for nothing, and for what nobody can be told. */
export function draftOf({ id, at, data }: Event): NoticeDraft | null {
  const event = parseId('evt', id);
  const words = wordsOf(data);
  if (event === null || at === undefined || words === null) return null;
  if (![words.person, words.item].every((given) => uuid.test(given))) return null;
  return { event, at: new Date(timestampMs(at)), ...words };
}

function wordsOf(data: Event['data']): Words | null {
  switch (data.case) {
    case 'personNotified':
      return ofNotified(data.value);
    case 'messageSent':
      return ofMessage(data.value);
    default:
      return null;
  }
}

function ofNotified({ person, about, kind, item, title, body, link }: PersonNotified): Words | null {
  const known = noticeKinds.find((word): word is NoticeKind => word === kind);
  // A path of this home and of nowhere else, whatever it would be put behind.
  if (known === undefined || !/^\/(?![/\\])/.test(link)) return null;
  return { person, about: uuidOrNull(about), kind: known, item, title, body, link, by: null };
}

/** A message is told of by who wrote it and its title; its text is for whoever opens it. */
function ofMessage({ to, thread, notice }: MessageSent): Words | null {
  const item = parseId('thr', thread);
  if (notice === undefined || item === null) return null;
  const { fromName, title, by } = notice;
  const about = uuidOrNull(notice.about);
  const who = fromName === '' ? 'Somebody' : fromName;
  return {
    person: to,
    about,
    kind: 'message',
    item,
    title: about === null ? `${who} wrote to you` : `${who} wants to write to somebody whom you look after`,
    body: title,
    link: about === null ? frontPage : requestsPage,
    by: uuidOrNull(by),
    // Who looks after somebody learns with whom they deal, not of what they write.
    instead: (name) => ({ title: `${who} wrote to ${name}`, body: '' }),
  };
}

const uuidOrNull = (given: string) => (uuid.test(given) ? given : null);
