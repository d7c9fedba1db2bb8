import { hour } from '@hearth/clock';
import { fractionOf } from '@hearth/ids';
import type { Host } from '@hearth/runtime';

/** Returns when a rule's refusal goes to another home: at a random time within the hour, like a person's. */
export function momentOfNo({ clock, random }: Pick<Host, 'clock' | 'random'>): Date {
  return new Date(clock.now() + fractionOf(random) * hour);
}
