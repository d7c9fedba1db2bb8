import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Draft, NoticeDraft, NoticeText } from '../../events/module.ts';
import type { StoredNotice } from '../../shared/domain/notice-words.ts';

export type DraftedNotice = NoticeDraft & Draft & Required<Pick<NoticeDraft, 'item'>>;

/** A notice with its recipient's text. */
export interface Notice
  extends Omit<DraftedNotice, 'by' | 'except' | 'instead' | keyof NoticeText>,
    StoredNotice {
  /** uuid, the same if the event is repeated. */
  id: string;
}

/** A notice and its recipient's current facts. */
export interface Addressed {
  notice: Notice;
  facts: PersonFacts;
}
