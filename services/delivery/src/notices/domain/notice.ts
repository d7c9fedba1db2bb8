import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Draft, NoticeDraft, NoticeText } from '../../events/module.ts';
import type { StoredNotice } from '../../shared/domain/notice-words.ts';

export type DraftedNotice = NoticeDraft & Draft & Required<Pick<NoticeDraft, 'item'>>;

/** A notice for the person who gets it. */
export interface Notice
  extends Omit<DraftedNotice, 'by' | 'except' | 'instead' | keyof NoticeText>,
    StoredNotice {
  /** uuid that the same event makes again. */
  id: string;
}

/** A notice and its recipient, as they are now. */
export interface Addressed {
  notice: Notice;
  facts: PersonFacts;
}
