import type { Html } from '../html.ts';
import { tick, ticks } from './tick.ts';

/** Field `private`: whether the cards of an AI leave its owner's name out. */
export function ownerPrivateTick(ticked: boolean): Html {
  return ticks([
    tick({
      name: 'private',
      value: 'yes',
      label: 'Keep my name private',
      hint: 'Cards leave your name out. Its address still begins with yours.',
      ticked,
    }),
  ]);
}
