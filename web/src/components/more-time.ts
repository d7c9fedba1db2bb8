import type { Html } from '../html.ts';
import { select } from './field.ts';

const hours = [
  ['1', 'one hour'],
  ['6', '6 hours'],
  ['24', 'one day'],
  ['48', '2 days'],
  ['72', '3 days'],
  ['168', 'a week'],
  ['336', 'two weeks'],
] as const;

/** Field `hours`, from now on. */
export function moreTime(id: string, value = '24'): Html {
  const choices = hours.map(([value, words]) => ({ value, words: `${words} from now` }));
  return select({
    name: 'hours',
    id,
    label: 'Answers until',
    groups: [{ label: '', choices }],
    value,
    empty: 'Choose',
  });
}
