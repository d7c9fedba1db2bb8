import { t } from '@hearth/i18n';
import type { Words } from '../html.ts';
import { othersText } from '../others-text.ts';

const reasons = ['archived', 'asker_gone', 'no_say'] as const;

/** Why a yes doesn't count, from its ask's record. Newer homes may give other reasons. */
export function voidWords(reason: string): Words {
  const known = reasons.find((name) => name === reason);
  return known === undefined
    ? t('ask.void-other', { reason: othersText(reason, 80) })
    : t(`ask.void.${known}`);
}
