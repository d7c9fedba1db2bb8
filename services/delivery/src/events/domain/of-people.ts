import type { JsonValue } from '@bufbuild/protobuf';
import { readText, type Text, t, type Value } from '@hearth/i18n';
import { isUuid, printId } from '@hearth/ids';
import {
  AccountDeletedSchema,
  NotifySchema,
  PersonUpdatedSchema,
} from '@hearth/proto/delivery/v1/app_events';
import type { PersonChanged, PersonSnapshot } from '@hearth/proto/events/v1/events';
import { appEvent } from './app-event.ts';
import { type ActivityDraft, type AuditDraft, type NoticeDraft, noticeKinds } from './draft.ts';
import { type Family, internal, listed, quiet } from './family.ts';
import { byActor, fieldsOf, nameOf, untilWhen, whenOperator, withReason } from './words.ts';

export const peopleEvents = {
  personCreated: {
    activity: (value) => about(value, 'person.created', (of) => t('events.person.created', of)),
    ...listed,
  },
  personChanged: {
    activity: (value, by) => {
      const suspension = suspensionOf(value);
      if (suspension === undefined)
        return about(value, 'person.updated', (of) =>
          t('events.person.updated', { ...byActor(by), ...of, fields: fieldsOf(value.changed) }),
        );
      const { change, until } = suspension;
      return about(value, `person.${change}`, (of) =>
        withReason(t(`events.person.${change}`, { ...of, until }), value.reason),
      );
    },
    app: personUpdated,
    ...quiet,
    audit(value) {
      const suspension = suspensionOf(value);
      if (suspension === undefined) return null;
      const { change, until } = suspension;
      return lineOf(value, `person.${change}`, t(`events.audit.person.${change}`, { until }));
    },
    notice(value) {
      const { person, reason } = value;
      const suspension = suspensionOf(value);
      if (suspension === undefined) return null;
      const { change, until } = suspension;
      return noticeOf(
        person,
        (of) => t(`notices.account-${change}`, { ...of, until }),
        reason || t('notices.suspension-over'),
      );
    },
  },
  fellowChanged: { ...internal, app: personUpdated },
  deletionAsked: {
    activity: (value) =>
      about(value, 'account.deletion_asked', (of) =>
        withReason(t('events.account.deletion_asked', of), value.reason),
      ),
    ...listed,
    audit: whenOperator((value) => {
      const at = untilWhen(value.deletesAt);
      return lineOf(value, 'account.deletion_asked', t('events.audit.account.deletion_asked', { at }));
    }),
    notice: whenOperator(({ person, deletesAt, reason }) => {
      const at = untilWhen(deletesAt);
      const notice = noticeOf(person, (of) => t('notices.account-deletion', { ...of, at }), reason);
      // An adult gets the same information in a mail about the account, even at an address that receives no
      // notices.
      return notice === null || person?.minor ? notice : { ...notice, appOnly: true };
    }),
  },
  deletionTakenBack: {
    activity: (value) =>
      about(value, 'account.deletion_taken_back', (of) =>
        withReason(t('events.account.deletion_taken_back', of), value.reason),
      ),
    ...listed,
    audit: whenOperator((value) =>
      lineOf(value, 'account.deletion_taken_back', t('events.audit.account.deletion_taken_back')),
    ),
    notice: whenOperator(({ person, reason }) =>
      noticeOf(person, (of) => t('notices.account-kept', of), reason),
    ),
  },
  accountDeleted: {
    activity: ({ deleted, handovers, apps }) => [
      {
        action: 'account.deleted',
        summary: t('events.account.deleted', { count: deleted.length }),
        subjects: [...deleted, ...apps],
      },
      ...handovers.map(({ child, guardian }) => ({
        action: 'guardian.changed',
        summary: t('events.guardian.changed', { guardian: guardian === '' ? 'none' : 'other' }),
        about: { id: child, minor: true },
        subjects: [guardian, ...apps],
      })),
    ],
    app({ deleted, handovers, organizers, archived, apps, people }) {
      const known = new Map(people.map((person) => [person.id, person]));
      const children = handovers.map(({ child }) => child);
      const guardians = handovers.map(({ guardian }) => guardian);
      const groups = [...organizers.map(({ group }) => group), ...archived];
      return appEvent(AccountDeletedSchema, {
        apps,
        orderKey: deleted[0] ?? '',
        needs: { people: [...children, ...guardians, ...organizers.map(({ person }) => person)], groups },
        data(view) {
          const held = people.some(({ app }) => app === view.app);
          const isIn = (group: string) => held || view.isIn(group);
          return {
            deleted: deleted.map((id) => view.personId({ minor: true, ...known.get(id), id })),
            // A handover is shown to the apps that hold the child or the new guardian.
            handovers: handovers
              .filter(({ child, guardian }) => view.holds(child) || view.holds(guardian))
              .map(({ child, guardian }) => ({
                child: view.personId({ id: child, minor: true }),
                ...(guardian !== '' && { guardian: view.personId({ id: guardian, minor: false }) }),
              })),
            organizers: organizers
              .filter(({ group }) => isIn(group))
              .map(({ group, person }) => ({
                group: printId('grp', group),
                person: view.personId({ id: person, minor: false }),
              })),
            archived: archived.filter(isIn).map((group) => printId('grp', group)),
          };
        },
      });
    },
    ...quiet,
  },
  personNotified: {
    activity: null,
    /** Sent by notices, which knows whether the person was already notified of the same thing. */
    app: ({ person, about, title, body, link, kind, apps }) =>
      appEvent(NotifySchema, {
        apps,
        orderKey: person,
        needs: { people: [person, about] },
        data: (view) => ({
          person: view.personId({ id: person, minor: false }),
          ...(about !== '' && { about: view.personId({ id: about, minor: true }) }),
          title,
          body,
          link: view.page(link),
          kind,
        }),
      }),
    ...quiet,
    notice({ person, about, kind, item, title, body, wording, link, again }) {
      const known = noticeKinds.find((name) => name === kind);
      // Only a path of this home, whatever prefix it is appended to.
      if (known === undefined || !/^\/(?![/\\])/.test(link)) return null;
      return {
        person,
        about: isUuid(about) ? about : null,
        kind: known,
        item,
        title: readText(wording?.title, title),
        body: readText(wording?.body, body),
        link,
        except: '',
        again,
        // "Ben asks you" names the child who is asked.
        instead: (name) => ({
          title: readText(
            namedIn(wording?.title, name),
            title.replace(/(?<= )you$/, () => name),
          ),
          body: readText(namedIn(wording?.body, name), body),
        }),
      };
    },
  },
} satisfies Family;

/** Returns a stored text with this name instead of "you". */
function namedIn(stored: JsonValue | undefined, name: string): unknown {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored;
  const { values } = stored;
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return stored;
  return values['whom'] === 'you' ? { ...stored, values: { ...values, whom: 'other', name } } : stored;
}

function personUpdated({ person, changed, apps }: Pick<PersonChanged, 'person' | 'changed' | 'apps'>) {
  if (person === undefined) return null;
  return appEvent(PersonUpdatedSchema, {
    apps,
    orderKey: person.id,
    needs: { people: [person.id] },
    data(view) {
      const shown = view.person(person);
      const seen = shown.shielded ? changed.filter((field) => shownOfShielded.has(field)) : changed;
      return seen.some((field) => telling.has(field)) ? { person: shown, changed: seen } : null;
    },
  });
}

function about(
  { person, apps }: { person?: PersonSnapshot | undefined; apps: string[] },
  action: string,
  summary: (of: { person: Value }) => Text,
): ActivityDraft {
  return { action, summary: summary({ person: nameOf(person) }), about: person, subjects: apps };
}

/** Returns the audit entry of an operator's act on an account. */
const lineOf = (
  { person, reason }: { person?: PersonSnapshot | undefined; reason: string },
  action: string,
  summary: Text,
): AuditDraft => ({
  action,
  about: printId('per', person?.id ?? ''),
  summary,
  reason,
});

/** Returns the notice to a person, or to their guardians, of an operator's act on the account. */
function noticeOf(
  person: PersonSnapshot | undefined,
  title: (of: { whom: 'you' | 'other'; name: string }) => Text,
  body: Text | string,
): NoticeDraft | null {
  if (person === undefined) return null;
  return {
    ...{ person: person.id, about: null, kind: 'message', body, link: '/me' },
    ...{ title: title({ whom: 'you', name: '' }), except: '' },
    instead: (name) => ({ title: title({ whom: 'other', name }), body }),
  };
}

/** A suspension, or its end; undefined for another change. */
function suspensionOf({
  changed,
  until,
}: Pick<PersonChanged, 'changed' | 'until'>): { change: 'suspended' | 'restored'; until: Text } | undefined {
  const change = (['suspended', 'restored'] as const).find((known) => changed.includes(known));
  return change && { change, until: untilWhen(until) };
}

/** Changes of a person that are sent to apps. */
const telling = new Set([
  'name',
  'handle',
  'guest',
  'age_band',
  'guardian',
  'ai_share',
  'suspended',
  'restored',
]);
/** Changes in `telling` that are also shown for a shielded person. */
const shownOfShielded = new Set(['name', 'age_band']);
