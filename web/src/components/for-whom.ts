import { listed, type Text, t } from '@hearth/i18n';
import { type Html, html, strong } from '../html.ts';
import { othersText } from '../others-text.ts';
import { fieldset } from './field.ts';
import { tick, ticks } from './tick.ts';

/** A person that the viewer may answer for. */
export interface Speaking {
  id: string;
  name: string;
  isViewer: boolean;
}

/** Field `for`: empty for all of them. Only text if there is one person, and nothing if that is the viewer. */
export function forWhom(people: readonly Speaking[], id: string, value = ''): Html | false {
  const [first, ...others] = people;
  if (first === undefined) return false;
  if (others.length === 0)
    return (
      !first.isViewer &&
      html`<p class="tap-only">${t('courses.for-other', { name: othersText(first.name), strong })}</p>`
    );
  const names = people.map(nameOf);
  return fieldset(
    { id, legend: t('courses.for') },
    ticks([
      tick({
        kind: 'radio',
        name: 'for',
        id: `${id}-all`,
        value: '',
        label: allOf(people),
        ticked: value === '',
      }),
      ...people.map((person, index) =>
        tick({
          kind: 'radio',
          name: 'for',
          id: `${id}-${index}`,
          value: person.id,
          label: t('courses.for-only', { name: names[index]! }),
          ticked: value === person.id,
        }),
      ),
    ]),
  );
}

const nameOf = ({ name, isViewer }: Speaking): Html | Text => (isViewer ? t('common.you') : othersText(name));

/** "You, Kit and Tim", for the start of a sentence. */
const allOf = (people: readonly Speaking[]): Text =>
  listed(
    people.map((person, index) => (index === 0 && person.isViewer ? t('courses.you-first') : nameOf(person))),
  );

/** "You and Kit chose this", if any of these people did. */
export function picksOf(
  people: readonly (Speaking & { picked?: string | undefined })[],
  option: string,
): Html | false {
  const those = people.filter(({ picked }) => picked === option);
  return those.length > 0 && html`<p class="soft">${t('courses.chose', { names: allOf(those) })}</p>`;
}
