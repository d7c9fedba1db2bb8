import type { Text } from '@hearth/i18n';
import type { PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';

/** The fields that all drafts of an event have. */
export interface Draft {
  /** uuid */
  event: string;
  at: Date;
  by: KnownActor;
}

/** A row of activity. */
export interface ActivityDraft {
  /** "member.joined"; the webhook's type, if there is one. */
  action: string;
  /** A short sentence without its full stop. Never an id, address or handle. */
  summary: Text;
  /** uuid of the group in which it happened. */
  group?: string;
  /** The person that it is about. */
  about?: Pick<PersonSnapshot, 'id' | 'minor'> | undefined;
  /**
   * uuids of the parties in whose lists it appears, besides the actor and the person that it is about. Empty
   * strings are ignored.
   */
  subjects: readonly string[];
  /** uuid of a person who never sees it in any list, and neither do their AIs. */
  hiddenFrom?: string;
  itemRef?: string;
  /** uuid of the app that owns the item, and the only one to see it. */
  itemApp?: string;
}

/** An entry of the audit log. */
export interface AuditDraft {
  /** "ai.suspended" */
  action: string;
  /** The id of the object; the kid of a key. Empty if there is none. */
  about: string;
  /** A short sentence without its full stop. */
  summary: Text;
  /** The operator's reason; empty if there is none. */
  reason: string;
}

/** Kinds of things that need a person's attention. */
export const noticeKinds = ['decision', 'approval', 'invite', 'plan', 'clash', 'message'] as const;

/** The text of a notice. */
export interface NoticeText {
  title: Text | string;
  /** Often written by others: the title of an ask or a message, or a note; empty if none. */
  body: Text | string;
}

/** A notice to a person, before their facts are known. */
export interface NoticeDraft extends NoticeText {
  /** uuid of the person to notify. */
  person: string;
  /** uuid of the person under 18 that it is about; null if none. */
  about: string | null;
  kind: (typeof noticeKinds)[number];
  /** The stage of the thing: a person is notified once in twelve hours for each stage. */
  stage?: string;
  /** uuid of the thing; a thread of messages is one thing. The event itself by default. */
  item?: string;
  /** A path of the site. */
  link: string;
  /** uuid of the acting person, who is not notified; empty if none. */
  except: string;
  /** A reminder, which is sent regardless of earlier notices. */
  again?: boolean;
  /** Set if people without an app get a separate mail about it. */
  appOnly?: true;
  /** Returns the text for a guardian who is notified instead of the person with that name. */
  instead?: (name: string) => NoticeText;
}

/** Mails that other services compose, named as in `SendRef`. */
export const mailKinds = ['ask_mail', 'ask_reminder', 'invite_mail', 'account_mail', 'meeting_mail'] as const;

/** A mail to be sent. Its source provides the content and address at that time, as for a callback. */
export interface MailDraft {
  kind: (typeof mailKinds)[number];
  /** uuid of the approval, the invite, the mail about an account, or the meeting. */
  id: string;
  /** The position of an ask's recipient, or of a meeting's party. */
  part: number;
}

/** A callback to be sent. */
export interface CallbackDraft {
  /** uuid */
  approval: string;
  /** uuid */
  asker: string;
}
