import { t } from '@hearth/i18n';
import { isUuid, parseId } from '@hearth/ids';
import { MessageReceivedSchema } from '@hearth/proto/delivery/v1/app_events';
import { MessageDirectSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { appEvent } from './app-event.ts';
import { type Family, internal, quiet } from './family.ts';
import { wakeUp } from './wake-up.ts';

/** Direct messages are not activity: they have their own lists. */
export const messageEvents = {
  messageSent: {
    activity: null,
    app({ messageId, thread, from, fromHome }) {
      if (fromHome === undefined) return null;
      const { person, app, envelope, name, ai, ownerStatus, title, text, replyTo } = fromHome;
      return appEvent(MessageReceivedSchema, {
        apps: [app],
        orderKey: person,
        needs: { people: [person] },
        data: (view) =>
          view.holds(person)
            ? {
                // No local app holds a party of another home.
                from: { address: from, name, ai, ...(ownerStatus !== '' && { ownerStatus }) },
                to: view.personId({ id: person, minor: false }),
                ...(title !== '' && { title }),
                ...{ text, envelope, id: messageId, thread },
                ...(replyTo !== '' && { replyTo }),
              }
            : null,
      });
    },
    ...quiet,
    /**
     * Wakes the AI that reads it: the recipient, or the gatekeeper. A message to a person is for that person
     * only: no AI lists it.
     */
    wakeUp({ messageId, thread, from, to, box, quiet, groups }) {
      if (quiet) return null;
      const data = { messageId, thread, ...(from !== '' && { from }), box };
      return wakeUp(MessageDirectSchema, data, { ais: [to], groups });
    },
    /** A notice of a message has its sender and title; the text is only for the reader who opens it. */
    notice({ to, messageId, thread, notice }) {
      const item = parseId('thr', thread);
      if (notice === undefined || item === null) return null;
      const { fromName, title, by } = notice;
      const about = isUuid(notice.about) ? notice.about : null;
      const who = fromName || t('events.actor.someone');
      return {
        person: to,
        about,
        kind: 'message',
        item,
        title:
          about === null
            ? t('notices.message', { who, whom: 'you', name: '' })
            : t('notices.message-ward', { who }),
        body: title,
        link: about === null ? `${requestsPage}/${messageId}` : requestsPage,
        except: by,
        // A guardian learns who the child is in contact with, not what they write.
        instead: (name) => ({ title: t('notices.message', { who, whom: 'other', name }), body: '' }),
      };
    },
  },
  messageRetracted: internal,
} satisfies Family;

/** The page on which people see what is waiting for them. */
const requestsPage = '/requests';
