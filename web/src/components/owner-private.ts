import { t } from '@hearth/i18n';
import type { Html } from '../html.ts';
import { tick, ticks } from './tick.ts';

/** Field `private`: whether the cards of an AI leave its owner's name out. */
export function ownerPrivateTick(ticked: boolean): Html {
  return ticks([
    tick({
      name: 'private',
      value: 'yes',
      label: t('ais.owner-private'),
      hint: t('ais.owner-private-hint'),
      ticked,
    }),
  ]);
}
