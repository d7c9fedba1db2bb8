import { isUuid, printId } from '@hearth/ids';
import {
  AccountDeletedSchema,
  NotifySchema,
  PersonUpdatedSchema,
} from '@hearth/proto/delivery/v1/app_events';
import type { PersonChanged, PersonSnapshot } from '@hearth/proto/events/v1/events';
import { appEvent } from './app-event.ts';
import { type ActivityDraft, type NoticeDraft, noticeKinds } from './draft.ts';
import { type Family, internal, listed, quiet } from './family.ts';
import { capital, changeOf, nameOf, until, whenOperator, withReason } from './words.ts';

export const peopleEvents = {
  personCreated: {
    activity: (value) => about(value, 'person.created', (name) => `${name} has an account here`),
    ...listed,
  },
  personChanged: {
    activity: (value, { who }) => {
      const suspension = suspensionOf(value);
      if (suspension === undefined)
        return about(value, 'person.updated', (name) => changeOf(name, value.changed, who));
      const { action, told } = suspension;
      return about(value, action, (name) => withReason(told(`the account of ${name}`), value.reason));
    },
    app: personUpdated,
    ...quiet,
    audit(value) {
      const suspension = suspensionOf(value);
      if (suspension === undefined) return null;
      const { person, reason } = value;
      const { action, told } = suspension;
      return lineOf(person, action, told('an account'), reason);
    },
    notice(value) {
      const { person, reason } = value;
      const told = suspensionOf(value)?.told;
      return told === undefined
        ? null
        : noticeOf(person, told, reason || 'The time of the suspension is over.');
    },
  },
  fellowChanged: { ...internal, app: personUpdated },
  deletionAsked: {
    activity: (value) =>
      about(value, 'account.deletion_asked', (name) =>
        withReason(`The account of ${name} will be deleted`, value.reason),
      ),
    ...listed,
    audit: whenOperator(({ person, deletesAt, reason }) =>
      lineOf(person, 'account.deletion_asked', `An account will be deleted on ${until(deletesAt)}`, reason),
    ),
    notice: whenOperator(({ person, deletesAt, reason }) => {
      const told: AccountSentence = (account, zone) =>
        `${capital(account)} will be deleted on ${until(deletesAt, zone)}`;
      const notice = noticeOf(person, told, reason);
      // The mail about an adult's own account says the same, also to an address that takes no notices.
      return notice === null || person?.minor ? notice : { ...notice, appOnly: true };
    }),
  },
  deletionTakenBack: {
    activity: (value) =>
      about(value, 'account.deletion_taken_back', (name) =>
        withReason(`The account of ${name} stays`, value.reason),
      ),
    ...listed,
    audit: whenOperator(({ person, reason }) =>
      lineOf(person, 'account.deletion_taken_back', 'An account stays', reason),
    ),
    notice: whenOperator(({ person, reason }) =>
      noticeOf(person, (account) => `${capital(account)} stays`, reason),
    ),
  },
  accountDeleted: {
    activity: ({ deleted, handovers, apps }) => [
      {
        action: 'account.deleted',
        summary: deleted.length === 1 ? 'An account was deleted' : `${deleted.length} accounts were deleted`,
        subjects: [...deleted, ...apps],
      },
      ...handovers.map(({ child, guardian }) => ({
        action: 'guardian.changed',
        summary:
          guardian === ''
            ? 'A child has no guardian any more, as an account was deleted'
            : 'A child has another guardian, as an account was deleted',
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
    /** Sent by the notices, which know whether the person was notified of the same before. */
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
    notice({ person, about, kind, item, title, body, link, again }) {
      const known = noticeKinds.find((name) => name === kind);
      // A path of this home and of nowhere else, whatever it would be put behind.
      if (known === undefined || !/^\/(?![/\\])/.test(link)) return null;
      return {
        person,
        about: isUuid(about) ? about : null,
        kind: known,
        item,
        title,
        body,
        link,
        except: '',
        again,
        // "Ben asks you" is said to the child who is asked.
        instead: (name) => ({ title: title.replace(/(?<= )you$/, () => name), body }),
      };
    },
  },
} satisfies Family;

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
  summary: (name: string) => string,
): ActivityDraft {
  return { action, summary: summary(nameOf(person)), about: person, subjects: apps };
}

/** The line of the audit log about what the operator did with the account. */
const lineOf = (person: PersonSnapshot | undefined, action: string, summary: string, reason: string) => ({
  action,
  about: printId('per', person?.id ?? ''),
  summary,
  reason,
});

/** Tells a person, or their guardians, what the operator did with the account. */
function noticeOf(
  person: PersonSnapshot | undefined,
  told: AccountSentence,
  body: string,
): NoticeDraft | null {
  if (person === undefined) return null;
  return {
    ...{ person: person.id, about: null, kind: 'message', body, link: '/me' },
    ...{ title: (zone) => told('your account', zone), except: '' },
    instead: (name) => ({ title: (zone) => told(`the account of ${name}`, zone), body }),
  };
}

/** A sentence about an account, with times by a zone where it has one reader. */
type AccountSentence = (account: string, zone?: string) => string;

/** The action of a suspension, or of its end, and the words for it; undefined for another change. */
function suspensionOf({
  changed,
  until: end,
}: Pick<PersonChanged, 'changed' | 'until'>): { action: string; told: AccountSentence } | undefined {
  if (changed.includes('suspended'))
    return {
      action: 'person.suspended',
      told: (account, zone) => `${capital(account)} is suspended until ${until(end, zone)}`,
    };
  if (changed.includes('restored'))
    return { action: 'person.restored', told: (account) => `The suspension of ${account} is over` };
  return undefined;
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
/** Those of them that are shown of a shielded person. */
const shownOfShielded = new Set(['name', 'age_band']);
