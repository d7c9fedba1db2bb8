/** Region -> age in years; `default` for all others. */
export type ConsentAges = Readonly<Record<string, number> & { default: number }>;

/** The age from which a person with this locale (BCP 47) may have an account without a guardian. */
export function consentAgeOf(locale: string, ages: ConsentAges): number {
  const region = regionOf(locale);
  return region !== null && Object.hasOwn(ages, region) ? (ages[region] as number) : ages.default;
}

function regionOf(locale: string): string | null {
  try {
    return new Intl.Locale(locale).region ?? null;
  } catch {
    return null;
  }
}
