import { parseId } from '@hearth/ids';
import { type Mappers, uuidOrNull } from './notice.ts';

/** The page on which people see what waits for them. */
const requestsPage = '/requests';
/** Messages in the inbox have no page of their own. */
const frontPage = '/';

export const messageEvents: Mappers = {
  /** A notice of a message has its sender and title; the text is for the reader who opens it. */
  messageSent({ to, thread, notice }) {
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
      // A guardian learns with whom the child deals, not about what they write.
      instead: (name) => ({ title: `${who} wrote to ${name}`, body: '' }),
    };
  },
};
