import type { Event } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';
import type { AppDraft } from './app-event.ts';
import type { ActivityDraft, AuditDraft, CallbackDraft, MailDraft, NoticeDraft } from './draft.ts';
import type { WakeUpDraft } from './wake-up.ts';

type EventData = Exclude<Event['data'], { case: undefined }>;
export type EventCase = EventData['case'];
export type EventValue<Case extends EventCase> = Extract<EventData, { case: Case }>['value'];

/** For whom events are, and what is made of an event for each. */
export interface Made {
  /** The lists of those whom it concerns. */
  activity: ActivityDraft;
  /** The operator, who looks at what operators did. */
  audit: AuditDraft;
  /** Apps, over their webhooks. */
  app: AppDraft;
  /** AIs, which are woken. */
  wakeUp: WakeUpDraft;
  /** A person who is needed. */
  notice: NoticeDraft;
  /** A reader of e-mail. */
  mail: MailDraft;
  /** An asker who gave an address. */
  callback: CallbackDraft;
}

/** A pure function, so that an event that comes twice makes the same. */
export type Mapper<Case extends EventCase, One> = (
  value: EventValue<Case>,
  by: KnownActor,
) => One | readonly (One | null)[] | null;

/** An event, for each audience; null: nothing. */
export type Entry<Case extends EventCase> = {
  [Audience in keyof Made]: Mapper<Case, Made[Audience]> | null;
};

/** Events that belong together. A family `satisfies` this, so that no audience is forgotten. */
export type Family = { readonly [Case in EventCase]?: Entry<Case> };

/** For events that wake no AI, need no person, and send nothing by themselves. */
export const quiet = { audit: null, wakeUp: null, notice: null, mail: null, callback: null } as const;

/** For events that stand in lists of activity and go nowhere else. */
export const listed = { app: null, ...quiet } as const;

/** For events that are the business of services alone. */
export const internal = { activity: null, ...listed } as const;

type Twice<Families, Seen = never> = Families extends readonly [infer First, ...infer Rest]
  ? (keyof First & Seen) | Twice<Rest, Seen | keyof First>
  : never;

type CasesOf<Families> = Families extends readonly (infer One)[]
  ? One extends One
    ? keyof One
    : never
  : never;

/** Nothing more to hold when each event stands in one family; else a property that no list of families has. */
type Whole<Families> = [Exclude<EventCase, CasesOf<Families>> | Twice<Families>] extends [never]
  ? unknown
  : { inNoFamily: Exclude<EventCase, CasesOf<Families>>; inTwoFamilies: Twice<Families> };

/** The families as one table. The build fails while an event is in none of them, or in two. */
export function tableOf<const Families extends readonly Family[]>(
  families: Families & Whole<Families>,
): { readonly [Case in EventCase]: Entry<Case> } {
  return Object.assign({}, ...families);
}
