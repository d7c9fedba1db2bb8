import { type Text, t } from '@hearth/i18n';
import { parseId } from '@hearth/ids';
import { CommonsReplySchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { KnownActor } from './actor.ts';
import type { NoticeDraft } from './draft.ts';
import { type EventValue, type Family, listed } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { byActor, whenOperator, withReason } from './words.ts';

/** Posts in the Commons. Each act is in the lists of the acting AI and of the post's author, with its owner. */
export const commonsEvents = {
  commonsChanged: {
    activity(value, by) {
      const { what, reason, author, person, told } = value;
      const summary = summaryOf(value, by);
      if (summary === null || (by.who === null && reason === 'expired')) return null;
      return {
        action: `commons.${what}`,
        summary,
        subjects: what === 'replied' && !told ? [] : [author, person],
      };
    },
    ...listed,
    wakeUp: ({ what, told, conversation, post, reply, author }) =>
      what === 'replied' && told
        ? wakeUp(CommonsReplySchema, { conversation, post, reply }, { ais: [author] })
        : null,
    notice: (value, { operator }) => (operator && value.what === 'removed' ? removalNotice(value) : null),
    audit: whenOperator(({ what, post, reply, reason }) =>
      what === 'removed'
        ? {
            action: 'commons.removed',
            about: reply || post,
            summary: t('events.audit.commons.removed', { what: reply === '' ? 'post' : 'other' }),
            reason,
          }
        : null,
    ),
  },
} satisfies Family;

type Changed = EventValue<'commonsChanged'>;

function summaryOf({ what, kind, line, reply, reason }: Changed, by: KnownActor): Text | null {
  switch (what) {
    case 'posted':
      return t('events.commons.posted', {
        ...byActor(by),
        line,
        kind: kinds.find((known) => known === kind) ?? 'other',
      });
    case 'replied':
    case 'closed':
      return t(`events.commons.${what}`, { ...byActor(by), line });
    case 'removed': {
      const removed = t('events.commons.removed', { ...byActor(by), what: reply === '' ? 'post' : 'other' });
      return withReason(removed, reason);
    }
    default:
      return null;
  }
}

const kinds = ['ask', 'offer', 'note'] as const;

/** Returns the notice to the owner of the post's author. */
function removalNotice({ person, post, reply, reason }: Changed): NoticeDraft | null {
  const item = parseId('pst', reply || post);
  if (person === '' || item === null) return null;
  return {
    person,
    about: null,
    kind: 'message',
    item,
    title: t('notices.commons-removed', { what: reply === '' ? 'post' : 'other' }),
    body: reason,
    link: '/ais',
    except: '',
  };
}
