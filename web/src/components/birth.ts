import { formatted, t } from '@hearth/i18n';
import { type Html, html, type Words } from '../html.ts';
import { type Errors, field, fieldset, select } from './field.ts';

export interface BirthValues {
  /** 1 to 12, as sent. */
  birth_month?: string | undefined;
  birth_year?: string | undefined;
}

const months = Array.from({ length: 12 }, (_, index) => ({
  value: String(index + 1),
  words: formatted(({ tag }) =>
    new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, index)),
  ),
}));

/**
 * Asks for month and year of birth: fields `birth_month` (1-12) and `birth_year`.
 *
 * @param another the question about another person; without it, asks for the reader's own birth
 */
export function birthFields(values: BirthValues, errors: Errors<'birth'>, another?: Words): Html {
  const fill = (name: string) => (another === undefined ? name : 'off');
  return fieldset(
    {
      id: 'birth',
      legend: another ?? t('birth.born'),
      hint: t('birth.hint'),
      error: errors.birth,
    },
    html`<div class="pair">
${select({
  name: 'birth_month',
  label: t('birth.month'),
  groups: [{ choices: months }],
  value: values.birth_month,
  empty: t('common.choose'),
  autocomplete: fill('bday-month'),
})}
${field({
  name: 'birth_year',
  label: t('birth.year'),
  value: values.birth_year,
  inputMode: 'numeric',
  autocomplete: fill('bday-year'),
  maxLength: 4,
  look: 'short',
})}
</div>`,
  );
}
