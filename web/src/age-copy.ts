export type AgeBand = 'adult' | 'teen16' | 'teen13' | 'child';

/** The ages of each band, in words. */
export const AGE_COPY: Readonly<Record<AgeBand, string>> = {
  adult: '18 or more',
  teen16: '16 or 17',
  teen13: '13 to 15',
  child: 'under 13',
};
