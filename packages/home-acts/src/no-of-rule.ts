import { hour } from '@hearth/clock';
import { fractionOf } from '@hearth/ids';
import type { Host } from '@hearth/runtime';

/** When a rule's no goes to another home: at a random moment within the hour, as that of a person would. */
export function momentOfNo({ clock, random }: Pick<Host, 'clock' | 'random'>): Date {
  return new Date(clock.now() + fractionOf(random) * hour);
}
