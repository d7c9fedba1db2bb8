import { type Html, html } from '../html.ts';
import { type Errors, field, fieldset, select } from './field.ts';

export interface BirthValues {
  /** 1 to 12, as it was sent. */
  birth_month?: string | undefined;
  birth_year?: string | undefined;
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
].map((words, index) => ({ value: String(index + 1), words }));

/**
 * Asks for month and year of birth: fields `birth_month` (1-12) and `birth_year`.
 *
 * @param another the question about another person; the reader's own birth when not given
 */
export function birthFields(values: BirthValues, errors: Errors<'birth'>, another?: string): Html {
  const fill = (name: string) => (another === undefined ? name : 'off');
  return fieldset(
    {
      id: 'birth',
      legend: another ?? 'When were you born?',
      hint: 'Month and year are enough. They are kept sealed and only say which rules protect a person: some are for people under 18.',
      error: errors.birth,
    },
    html`<div class="pair">
${select({
  name: 'birth_month',
  label: 'Month',
  groups: [{ label: '', choices: months }],
  value: values.birth_month,
  empty: 'Choose',
  autocomplete: fill('bday-month'),
})}
${field({
  name: 'birth_year',
  label: 'Year',
  value: values.birth_year,
  inputMode: 'numeric',
  autocomplete: fill('bday-year'),
  maxLength: 4,
  look: 'short',
})}
</div>`,
  );
}
