import { type Text, t } from '@hearth/i18n';

export type AgeBand = 'adult' | 'teen16' | 'teen13' | 'child';

/** The age bands as people read them. */
export const AGE_COPY: Readonly<Record<AgeBand, Text>> = {
  adult: t('common.age.adult'),
  teen16: t('common.age.teen16'),
  teen13: t('common.age.teen13'),
  child: t('common.age.child'),
};
