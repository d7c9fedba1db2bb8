import { asTyped } from '@hearth/addresses';
import { isHearthError } from '@hearth/errors';
import { type Text, t } from '@hearth/i18n';
import type { BirthValues } from '@hearth/web';
import { homeLink, messagePage } from '@hearth/web';
import { errorWords } from './error-words.ts';
import type { PageAnswer, PageRequest } from './page.ts';

export interface Birth {
  /** The values as sent, to show them again. */
  values: BirthValues;
  /** YYYY-MM; empty with an error. */
  yearMonth: string;
  errors: { birth?: Text };
}

const oldestYears = 125;

/** Reads `birth_month` (1 to 12) and `birth_year` (four digits) of a form. */
export function birthOf(form: URLSearchParams, now: number): Birth {
  const values = {
    birth_month: asTyped(form.get('birth_month') ?? ''),
    birth_year: asTyped(form.get('birth_year') ?? ''),
  };
  const wrong = (birth: Text): Birth => ({ values, yearMonth: '', errors: { birth } });
  if (!/^(0?[1-9]|1[0-2])$/.test(values.birth_month) || !/^\d{4}$/.test(values.birth_year)) {
    return wrong(t('birth.invalid'));
  }
  const yearMonth = `${values.birth_year}-${values.birth_month.padStart(2, '0')}`;
  const today = new Date(now).toISOString();
  if (yearMonth > today.slice(0, 7)) return wrong(t('birth.future'));
  if (Number(values.birth_year) < Number(today.slice(0, 4)) - oldestYears)
    return wrong(t('birth.too-long-ago'));
  return { values, yearMonth, errors: {} };
}

/** The page for people too young to sign in alone; undefined for any other error. */
export function guardianPage({ frame }: PageRequest, error: unknown): PageAnswer | undefined {
  if (!isHearthError(error) || error.details.code !== 'guardian_needed') return undefined;
  const link = homeLink(frame);
  const words = errorWords(error);
  return {
    html: messagePage(frame, { title: t('birth.ask-adult'), words, link, tone: 'info' }),
    status: 403,
  };
}
