import { printId } from '@hearth/ids';
import { AccountDeletedSchema, PersonUpdatedSchema } from '@hearth/proto/delivery/v1/app_events';
import { draft, type Selectors } from './draft.ts';

/** Changes of a person that are sent to apps. */
const telling = new Set(['name', 'age_band', 'guardian', 'ai_share']);
/** Those of them that are shown of a shielded person. */
const shownOfShielded = new Set(['name', 'age_band']);

export const peopleEvents: Selectors = {
  personChanged({ person, changed, apps, seq }) {
    if (person === undefined) return [];
    return draft(PersonUpdatedSchema, {
      apps,
      orderKey: person.id,
      needs: { people: [person.id] },
      data(view) {
        const shown = view.person(person);
        const seen = shown.shielded ? changed.filter((field) => shownOfShielded.has(field)) : changed;
        return seen.some((field) => telling.has(field)) ? { person: shown, changed: seen, seq } : null;
      },
    });
  },
  accountDeleted({ deleted, handovers, organizers, archived, apps, people }) {
    const known = new Map(people.map((person) => [person.id, person]));
    const children = handovers.map(({ child }) => child);
    const guardians = handovers.map(({ guardian }) => guardian);
    const groups = [...organizers.map(({ group }) => group), ...archived];
    return draft(AccountDeletedSchema, {
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
};
