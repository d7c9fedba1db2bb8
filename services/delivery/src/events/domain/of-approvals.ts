import { listed as allOf, english, t } from '@hearth/i18n';
import { parseId, printId } from '@hearth/ids';
import { OutcomeSchema } from '@hearth/proto/delivery/v1/app_events';
import { ApprovalAskedSchema, AskAnsweredSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { PersonSnapshot } from '@hearth/proto/events/v1/events';
import { appEvent } from './app-event.ts';
import type { MailDraft } from './draft.ts';
import { type EventValue, type Family, internal, listed, quiet } from './family.ts';
import { type WakeUpDraft, wakeUp } from './wake-up.ts';
import { byActor } from './words.ts';

/** An ask is only in the lists of the asker and the recipients, not in a group's list. */
export const approvalEvents = {
  approvalRequested: {
    activity: ({ title, group, to, itemRef, itemApp, apps }, by) => ({
      action: 'approval.requested',
      summary: t('events.approval.requested', { ...byActor(by), title }),
      group: group?.id ?? '',
      subjects: [...to, ...apps],
      itemRef,
      itemApp,
    }),
    ...listed,
    /** Wakes the AI in whose list it waits, or all AIs of the person in whose list it waits. */
    wakeUp(ask) {
      const loud = ask.places.filter(({ quiet }) => !quiet);
      const byOwner = Map.groupBy(loud, ({ owner }) => owner);
      return [...byOwner].flatMap(([owner, places]) => asked(ask, owner, places));
    },
    mail: ({ approval, mailed }) => mailsOf('ask_mail', approval, mailed),
  },
  approvalReminded: {
    ...internal,
    mail: ({ approval, mailed }) => mailsOf('ask_reminder', approval, mailed),
  },
  approvalSettled: {
    activity: ({ title, status, group, asker, askerPerson, to, itemRef, itemApp, apps }) => ({
      action: `approval.${status}`,
      summary: t('events.approval.settled', {
        title,
        status: endings.find((known) => known === status) ?? 'other',
      }),
      group: group?.id ?? '',
      subjects: [asker, askerPerson, ...to, ...apps],
      itemRef,
      itemApp,
    }),
    app(value) {
      const { approval, title, group, itemRef, itemApp, approvedBy, about, apps, asker, askerPerson } = value;
      // An approval that counts for nothing is treated as a cancelled ask.
      const status = value.void === '' ? value.status : 'cancelled';
      if (!outcomes.has(status)) return null;
      return appEvent(OutcomeSchema, {
        apps,
        // Without a group it is ordered by the asking person.
        orderKey: group?.id || askerPerson || asker || (parseId('apr', approval) ?? ''),
        needs: { people: [...approvedBy.map(({ id }) => id), about] },
        data(view) {
          // A guardian's approval for a child is shown to apps that hold either of them.
          const shown = approvedBy.filter(({ id }) => about === '' || view.holds(about) || view.holds(id));
          return {
            kind: 'approval',
            id: approval,
            status,
            ...(group !== undefined && { group: printId('grp', group.id) }),
            title,
            summary: summaryOf(status, shown),
            people: shown.map((person) => {
              const { id, name } = view.person(person);
              return { person: id as string, name: name as string };
            }),
            ...(itemRef !== '' && itemApp === view.app && { itemRef }),
          };
        },
      });
    },
    ...quiet,
    wakeUp: ({ approval, status, asker, askerPerson }) =>
      // An asker who cancels an ask already knows that it ended.
      status === 'cancelled'
        ? null
        : wakeUp(
            AskAnsweredSchema,
            { approvalId: approval, status },
            { ais: [asker], people: [askerPerson] },
          ),
    callback({ approval, asker, callback }) {
      const id = callback ? parseId('apr', approval) : null;
      return id === null ? null : { approval: id, asker };
    },
  },
} satisfies Family;

const endings = ['approved', 'declined', 'cancelled', 'expired'] as const;

/** An expired ask has no outcome: its asker learns of it by ask.answered. */
const outcomes = new Set(['approved', 'declined', 'cancelled']);

/** Names are as every reader may see them. */
function summaryOf(status: string, approvedBy: readonly PersonSnapshot[]): string {
  if (status === 'cancelled') return 'Withdrawn by the asker';
  if (status === 'declined') return 'Declined';
  const names = approvedBy.map(({ name }) => name).filter((name) => name !== '');
  return names.length === 0 ? 'Approved' : `Approved by ${english.words(allOf(names))}`;
}

type Ask = EventValue<'approvalRequested'>;

/** For the owner if it is an AI, and for the owner's AIs if it is a person: the event does not say which. */
function asked(
  { approval, title, kind, from, expiresAt, group }: Ask,
  owner: string,
  places: Ask['places'],
): WakeUpDraft[] {
  const own = places.find(({ to }) => to === owner);
  // An ask to the owner takes precedence over one that passes through them.
  const { box, requestKind } = own ?? places[0]!;
  const data = {
    approvalId: approval,
    title,
    kind,
    ...(box !== 'inbox' && requestKind !== '' && { requestKind }),
    ...(from !== '' && { from }),
    frontDoor: places.some((place) => place.box === 'front_door'),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const groups = group === undefined ? [] : [group.id];
  return [
    wakeUp(ApprovalAskedSchema, { ...data, toYou: own !== undefined }, { ais: [owner], groups }),
    wakeUp(ApprovalAskedSchema, { ...data, toYou: false }, { people: [owner], groups }),
  ];
}

/** @param approval apr_ and 32 hex digits */
function mailsOf(kind: MailDraft['kind'], approval: string, mailed: readonly number[]): MailDraft[] {
  const id = parseId('apr', approval);
  return id === null ? [] : mailed.map((part) => ({ kind, id, part }));
}
