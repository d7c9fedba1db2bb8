import { timeIn } from '@hearth/calendar';
import { english } from '@hearth/i18n';
import type { PlanRow } from '../db/plans.ts';
import type { Option } from './plan.ts';

/** The option that the plan is settled on. */
export function settledOption({
  options,
  settled_option,
}: Pick<PlanRow, 'options' | 'settled_option'>): Option {
  return options.find(({ id }) => id === settled_option) as Option;
}

/** One line: "Mon, 3 May 2027, 18:00; the small hall; Town house". */
export function summaryOf(row: Pick<PlanRow, 'options' | 'settled_option' | 'time_zone' | 'place'>): string {
  const { label, starts } = settledOption(row);
  return [english.words(timeIn(starts, row.time_zone)), label, row.place ?? '']
    .filter((part) => part !== '')
    .join('; ');
}
