import type { Text } from '@hearth/i18n';
import type { PersonSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';

/** All that is made of an event has this, for each audience. */
export interface Draft {
  /** uuid */
  event: string;
  at: Date;
  by: KnownActor;
}

/** A row of activity. */
export interface ActivityDraft {
  /** "member.joined"; as the webhook's type where there is one. */
  action: string;
  /** A short sentence without its full stop. Never an id, address or handle. */
  summary: Text;
  /** uuid of the group that it happened in. */
  group?: string;
  /** The person that it is about. */
  about?: Pick<PersonSnapshot, 'id' | 'minor'> | undefined;
  /** uuids of those in whose lists it stands, besides the actor and the person that it is about. Empty ones are left out. */
  subjects: readonly string[];
  /** uuid of a person who never sees it, nor their AIs, in whatever list it stands. */
  hiddenFrom?: string;
  itemRef?: string;
  /** uuid of the app whose item it is, which alone is shown it. */
  itemApp?: string;
}

/** A line of the audit log. */
export interface AuditDraft {
  /** "ai.suspended" */
  action: string;
  /** The id of what was acted on; of a key its kid. Empty for none. */
  about: string;
  /** A short sentence without its full stop. */
  summary: Text;
  /** The operator's reason; empty if there is none. */
  reason: string;
}

/** The kinds of thing that need a person. */
export const noticeKinds = ['decision', 'approval', 'invite', 'plan', 'clash', 'message'] as const;

/** The text of a notice. */
export interface NoticeText {
  title: Text | string;
  /** Often the text of others: the title of an ask or a message, a note; empty for none. */
  body: Text | string;
}

/** A notice for a person, before it is known who they are. */
export interface NoticeDraft extends NoticeText {
  /** uuid of the person to notify. */
  person: string;
  /** uuid of a person under 18 that it is about; null for none. */
  about: string | null;
  kind: (typeof noticeKinds)[number];
  /** At which stage of the thing: at each, a person is notified once in twelve hours. */
  stage?: string;
  /** uuid of the thing, one thread of messages is one; the event itself when not given. */
  item?: string;
  /** A path of the site. */
  link: string;
  /** uuid of the person whose own act it is, who is not notified; empty for none. */
  except: string;
  /** A reminder, which is sent regardless of earlier notices. */
  again?: boolean;
  /** People without an app have a mail of their own for it. */
  appOnly?: true;
  /** The text for a guardian who is notified in the place of the person with that name. */
  instead?: (name: string) => NoticeText;
}

/** Mails of other services, as `SendRef` has them. */
export const mailKinds = ['ask_mail', 'ask_reminder', 'invite_mail', 'account_mail', 'meeting_mail'] as const;

/** A mail that leaves. Its content and address are asked of its source when it goes, as those of a callback are. */
export interface MailDraft {
  kind: (typeof mailKinds)[number];
  /** uuid of the approval, the invite, the mail about an account or the meeting. */
  id: string;
  /** The position of an ask's recipient, or of a meeting's party. */
  part: number;
}

/** A callback that leaves. */
export interface CallbackDraft {
  /** uuid */
  approval: string;
  /** uuid */
  asker: string;
}
