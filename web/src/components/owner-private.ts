import { t } from '@hearth/i18n';
import type { Html } from '../html.ts';
import { tick, ticks } from './tick.ts';

/** Field `private`: hides the owner's name on the AI's cards. */
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
