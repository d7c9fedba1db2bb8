import type { Event } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';
import type { AppDraft } from './app-event.ts';
import type { ActivityDraft, AuditDraft, CallbackDraft, MailDraft, NoticeDraft } from './draft.ts';
import type { WakeUpDraft } from './wake-up.ts';

type EventData = Exclude<Event['data'], { case: undefined }>;
export type EventCase = EventData['case'];
export type EventValue<Case extends EventCase> = Extract<EventData, { case: Case }>['value'];

/** The audiences of events, and what each receives. */
export interface Made {
  /** The lists of the parties concerned. */
  activity: ActivityDraft;
  /** The operator, who sees what operators did. */
  audit: AuditDraft;
  /** Apps, over webhooks. */
  app: AppDraft;
  /** AIs, which are woken. */
  wakeUp: WakeUpDraft;
  /** A person whose attention is needed. */
  notice: NoticeDraft;
  /** A reader of email. */
  mail: MailDraft;
  /** An asker who gave an address. */
  callback: CallbackDraft;
}

/** A pure function, so that a repeated event makes the same drafts. */
export type Mapper<Case extends EventCase, One> = (
  value: EventValue<Case>,
  by: KnownActor,
) => One | readonly (One | null)[] | null;

/** An event's mapper for each audience; null if it means nothing to that audience. */
export type Entry<Case extends EventCase> = {
  [Audience in keyof Made]: Mapper<Case, Made[Audience]> | null;
};

/** Related events. A family `satisfies` this type, so that no audience is forgotten. */
export type Family = { readonly [Case in EventCase]?: Entry<Case> };

/** For events that wake no AI, need no person's attention, and send nothing. */
export const quiet = { audit: null, wakeUp: null, notice: null, mail: null, callback: null } as const;

/** For events that are only activity. */
export const listed = { app: null, ...quiet } as const;

/** For events that only concern services. */
export const internal = { activity: null, ...listed } as const;

type Twice<Families, Seen = never> = Families extends readonly [infer First, ...infer Rest]
  ? (keyof First & Seen) | Twice<Rest, Seen | keyof First>
  : never;

type CasesOf<Families> = Families extends readonly (infer One)[]
  ? One extends One
    ? keyof One
    : never
  : never;

/**
 * Adds no constraint if each event is in exactly one family; otherwise requires a property that no list of
 * families has.
 */
type Whole<Families> = [Exclude<EventCase, CasesOf<Families>> | Twice<Families>] extends [never]
  ? unknown
  : { inNoFamily: Exclude<EventCase, CasesOf<Families>>; inTwoFamilies: Twice<Families> };

/** Merges the families into one table. The build fails if an event is in no family or in two. */
export function tableOf<const Families extends readonly Family[]>(
  families: Families & Whole<Families>,
): { readonly [Case in EventCase]: Entry<Case> } {
  return Object.assign({}, ...families);
}
