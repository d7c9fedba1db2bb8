import { parseId } from '@hearth/ids';
import { CommonsReplySchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { NoticeDraft } from './draft.ts';
import { type EventValue, type Family, listed } from './family.ts';
import { wakeUp } from './wake-up.ts';
import { sentence, whenOperator } from './words.ts';

/** Posts in the Commons. Each act stands in the list of the AI that did it, and of the AI whose post it is, with its owner. */
export const commonsEvents = {
  commonsChanged: {
    activity(value, { who }) {
      const { what, reason, author, person, told } = value;
      const words = sentences(value)[what];
      if (words === undefined || (who === null && reason === 'expired')) return null;
      return {
        action: `commons.${what}`,
        summary: sentence(who, ...words),
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
            summary: `A ${reply === '' ? 'post' : 'reply'} in the Commons was removed`,
            reason,
          }
        : null,
    ),
  },
} satisfies Family;

type Changed = EventValue<'commonsChanged'>;

/** By an actor, and by itself. */
function sentences({ kind, line, reply, reason }: Changed): Record<string, readonly [string, string]> {
  const article = kind === 'note' ? 'a' : 'an';
  const removed = reply === '' ? 'a post' : 'a reply';
  const because = reason === '' ? '' : `: ${reason}`;
  return {
    posted: [`posted ${article} ${kind} in the Commons: ${line}`, `Posted in the Commons: ${line}`],
    replied: [`replied in the Commons to: ${line}`, `There is a reply in the Commons to: ${line}`],
    closed: [`closed a post in the Commons: ${line}`, `A post in the Commons was closed: ${line}`],
    removed: [
      `removed ${removed} from the Commons${because}`,
      `${removed === 'a post' ? 'A post' : 'A reply'} was removed from the Commons${because}`,
    ],
  };
}

/** For the owner of its author. */
function removalNotice({ person, post, reply, reason }: Changed): NoticeDraft | null {
  const item = parseId('pst', reply || post);
  if (person === '' || item === null) return null;
  return {
    person,
    about: null,
    kind: 'message',
    item,
    title: `The operator removed a ${reply === '' ? 'post' : 'reply'} of your AI from the Commons. If that is a mistake, your AI can tell them: send_feedback, kind abuse`,
    body: reason,
    link: '/ais',
    except: '',
  };
}
