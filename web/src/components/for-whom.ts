import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { fieldset } from './field.ts';
import { tick, ticks } from './tick.ts';

/** A person for whom the viewer speaks. */
export interface Speaking {
  id: string;
  name: string;
  isViewer: boolean;
}

/** Field `for`: empty for all of them. Words alone where there is one, and nothing where that is the viewer. */
export function forWhom(people: readonly Speaking[], id: string, value = ''): Html | false {
  const [first, ...others] = people;
  if (first === undefined) return false;
  if (others.length === 0)
    return (
      !first.isViewer &&
      html`<p class="tap-only"><strong>You answer for ${othersText(first.name)}.</strong> A guardian’s own word counts for a person under 18.</p>`
    );
  const names = people.map(nameOf);
  return fieldset(
    { id, legend: 'Whom is it for?' },
    ticks([
      tick({
        kind: 'radio',
        name: 'for',
        id: `${id}-all`,
        value: '',
        label: allOf(people),
        ticked: value === '',
      }),
      ...people.map((one, index) =>
        tick({
          kind: 'radio',
          name: 'for',
          id: `${id}-${index}`,
          value: one.id,
          label: html`Only ${names[index]}`,
          ticked: value === one.id,
        }),
      ),
    ]),
  );
}

const nameOf = ({ name, isViewer }: Speaking): Html => (isViewer ? html`you` : othersText(name));

/** "You, Kit and Tim", as a sentence begins. */
export function allOf(people: readonly Speaking[]): Html {
  return together(people.map((one, index) => (index === 0 && one.isViewer ? html`You` : nameOf(one))));
}

/** "You and Kit picked this", where any of those for whom the viewer speaks did. */
export function picksOf(
  people: readonly (Speaking & { picked?: string | undefined })[],
  option: string,
): Html | false {
  const those = people.filter(({ picked }) => picked === option);
  return those.length > 0 && html`<p class="soft">${allOf(those)} picked this.</p>`;
}

/** "you, Kit and Tim". */
export function together(names: readonly Html[]): Html {
  return html`${names.map((name, index) => html`${index > 0 && (index === names.length - 1 ? ' and ' : ', ')}${name}`)}`;
}
