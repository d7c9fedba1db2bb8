import { t } from '@hearth/i18n';
import type { Html } from '../html.ts';
import { select } from './field.ts';

const hours = ['1', '6', '24', '48', '72', '168', '336'] as const;

/** Field `hours`, counted from now. */
export function moreTime(id: string, value = '24'): Html {
  const choices = hours.map((value) => ({ value, words: t(`common.from-now.${value}`) }));
  return select({
    name: 'hours',
    id,
    label: t('common.answers-until'),
    groups: [{ choices }],
    value,
    empty: t('common.choose'),
  });
}
