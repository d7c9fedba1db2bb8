import { fieldsInWords, type Mappers, nameOf, sentence } from './draft.ts';

export const peopleEvents: Mappers = {
  personCreated: ({ person, apps }) => ({
    action: 'person.created',
    summary: `${nameOf(person)} has an account here`,
    about: person,
    subjects: apps,
  }),
  personChanged: ({ person, changed, apps }, who) => {
    const what = `${fieldsInWords(changed)} of ${nameOf(person)}`;
    return {
      action: 'person.updated',
      summary: sentence(who, `changed ${what}`, `Changed: ${what}`),
      about: person,
      subjects: apps,
    };
  },
  deletionAsked: ({ person, apps }) => ({
    action: 'account.deletion_asked',
    summary: `The account of ${nameOf(person)} will be deleted`,
    about: person,
    subjects: apps,
  }),
  deletionTakenBack: ({ person, apps }) => ({
    action: 'account.deletion_taken_back',
    summary: `The account of ${nameOf(person)} stays`,
    about: person,
    subjects: apps,
  }),
  accountDeleted: ({ deleted, handovers, apps }) => [
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
  appChanged: ({ app, changed }) =>
    changed.includes('created')
      ? { action: 'app.created', summary: 'The app was made', subjects: [app] }
      : { action: 'app.updated', summary: `Changed: ${fieldsInWords(changed)} of the app`, subjects: [app] },
};
