/** The words for what needs a person. */
export const noticeKinds = ['decision', 'approval', 'invite', 'plan', 'clash', 'message'] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** Something that somebody is to be told, before it is known who they are. */
export interface NoticeDraft {
  /** uuid */
  event: string;
  at: Date;
  /** uuid of the person to tell. */
  person: string;
  /** uuid of somebody under 18 that it is about; null for nobody. */
  about: string | null;
  kind: NoticeKind;
  /** uuid of the thing; one thread of messages is one. */
  item: string;
  title: string;
  /** What is called as others wrote it: the title of an ask or a message, a note; empty for nothing. */
  body: string;
  /** A path of the site. */
  link: string;
  /** uuid of the person whose own act it is, who is not told; null for nobody's. */
  by: string | null;
  /** What somebody reads in their place who looks after them. */
  instead?: (name: string) => Pick<NoticeDraft, 'title' | 'body'>;
}

/** Something that somebody is told. */
export interface Notice extends Omit<NoticeDraft, 'by' | 'instead'> {
  /** uuid that hearing the event again makes again: the event's own for the first whom it tells. */
  id: string;
}
