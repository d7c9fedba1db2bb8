import { isUuid } from '@hearth/ids';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { EventCase, EventValue } from '../../shared/domain/event-data.ts';

/** The kinds of thing that need a person. */
export const noticeKinds = ['decision', 'approval', 'invite', 'plan', 'clash', 'message'] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** A notice for a person, before it is known who they are. */
export interface NoticeDraft {
  /** uuid */
  event: string;
  at: Date;
  /** uuid of the person to notify. */
  person: string;
  /** uuid of a person under 18 that it is about; null for none. */
  about: string | null;
  kind: NoticeKind;
  /** uuid of the thing; one thread of messages is one. */
  item: string;
  title: string;
  /** The text of others: the title of an ask or a message, a note; empty for none. */
  body: string;
  /** A path of the site. */
  link: string;
  /** uuid of the person whose own act it is, who is not notified; null for none. */
  by: string | null;
  /** The text for a guardian who is notified in the place of the person with that name. */
  instead?: (name: string) => Pick<NoticeDraft, 'title' | 'body'>;
}

/** A draft without what every event has. */
export type Copy = Omit<NoticeDraft, 'event' | 'at'>;

/** Makes the notice of one kind of event; null where there is none. */
export type Mapper<Case extends EventCase> = (value: EventValue<Case>) => Copy | null;

/** The events of a family, each with its mapper. */
export type Mappers = { [Case in EventCase]?: Mapper<Case> };

/** A notice for the person who gets it. */
export interface Notice extends Omit<NoticeDraft, 'by' | 'instead'> {
  /** uuid that the same event makes again: the event's own for its first recipient. */
  id: string;
}

/** A notice and its recipient, as they are now. */
export interface Addressed {
  notice: Notice;
  facts: PersonFacts;
}

/** A field that an event leaves empty names no one. */
export const uuidOrNull = (given: string) => (isUuid(given) ? given : null);
