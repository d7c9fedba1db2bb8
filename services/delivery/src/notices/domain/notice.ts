import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Draft, NoticeDraft, NoticeText } from '../../events/module.ts';

export type DraftedNotice = NoticeDraft & Draft & Required<Pick<NoticeDraft, 'item'>>;

/** A notice for the person who gets it. */
export interface Notice extends Omit<DraftedNotice, 'by' | 'except' | 'instead' | keyof NoticeText> {
  title: string;
  body: string;
  /** uuid that the same event makes again. */
  id: string;
}

/** A notice and its recipient, as they are now. */
export interface Addressed {
  notice: Notice;
  facts: PersonFacts;
}
